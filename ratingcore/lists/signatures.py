"""Signatures of documents of lists: a private Ed25519 key signs a document, and its public half checks it."""

import hashlib
import re
from base64 import b64decode, b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from attrs import field, frozen

from ratingcore.errors import BadKey, NotInstalled
from ratingcore.events import canonical

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

_SIGNED = ("list", "provenance", "digest", "seal")
"""Fields of a document that a signature covers; the digest represents the rows and their headings."""

_SIGNATURE = re.compile(r"ed25519:([0-9a-f]{32}):([A-Za-z0-9+/]{86}==)")
_LARGEST = 65_536
_MAKE = "openssl genpkey -algorithm ed25519 -out key.pem makes a key"
_HALF = "openssl pkey -in key.pem -pubout -out public.pem writes its public half"


def message(facts: Mapping[str, object]) -> bytes:
    """Returns the text of a document that is signed: its facts, digest and seal, in canonical JSON."""
    return canonical(["ratingcore list", 1, {name: facts[name] for name in _SIGNED if name in facts}]).encode()


@frozen
class Signature:
    """Signature of a document, written as `ed25519:FINGERPRINT:SIGNATURE`.

    Parameters
    ----------
    fingerprint : str
        Fingerprint of the public key: the first 32 digits of the sha256 of its DER form.
    raw : bytes
        The 64 bytes of the signature.
    """

    fingerprint: str
    raw: bytes

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Reads a signature; None for any other text."""
        match = _SIGNATURE.fullmatch(text)
        return None if match is None else cls(match[1], b64decode(match[2]))

    def __str__(self) -> str:
        return f"ed25519:{self.fingerprint}:{b64encode(self.raw).decode()}"


@frozen
class SigningKey:
    """A private Ed25519 key."""

    _key: "Ed25519PrivateKey" = field(repr=False)

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Reads a key from a PEM file.

        Raises
        ------
        BadKey
            If the file does not hold a private Ed25519 key, or the key has a password.
        NotInstalled
            If `cryptography` is not installed.
        """
        ed25519, loading = _cryptography()
        pem = _pem(path)
        try:
            key = loading.load_pem_private_key(pem, password=None)
        except TypeError:
            raise BadKey(str(path), "the key is protected by a password", "sign with a key that has none") from None
        except Exception:  # the library raises many kinds of errors for an invalid key
            raise BadKey(str(path), "it holds no private key in PEM", _MAKE) from None
        if not isinstance(key, ed25519.Ed25519PrivateKey):
            raise BadKey(str(path), "its key is not an Ed25519 key", _MAKE)
        return cls(key)

    def sign(self, facts: Mapping[str, object]) -> Signature:
        """Returns the signature of a document."""
        return Signature(fingerprint(self._key.public_key()), self._key.sign(message(facts)))


@frozen
class PublicKey:
    """The public half of an Ed25519 key."""

    _key: "Ed25519PublicKey" = field(repr=False)

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Reads a public key from a PEM file.

        Raises
        ------
        BadKey
            If the file holds no public Ed25519 key.
        NotInstalled
            If `cryptography` is not installed.
        """
        ed25519, loading = _cryptography()
        pem = _pem(path)
        try:
            key = loading.load_pem_public_key(pem)
        except Exception:  # as above
            why = "it holds a private key" if b"PRIVATE KEY-----" in pem else "it holds no public key in PEM"
            raise BadKey(str(path), why, _HALF) from None
        if not isinstance(key, ed25519.Ed25519PublicKey):
            raise BadKey(str(path), "its key is not an Ed25519 key", _MAKE)
        return cls(key)

    @property
    def fingerprint(self) -> str:
        """Fingerprint by which signatures name the key."""
        return fingerprint(self._key)

    def signed(self, what: bytes, signature: Signature) -> bool:
        """True if this key signed a message."""
        from cryptography.exceptions import InvalidSignature

        try:
            self._key.verify(signature.raw, what)
        except InvalidSignature:
            return False
        return True


def fingerprint(key: "Ed25519PublicKey") -> str:
    """Returns the first 32 digits of `openssl pkey -pubin -outform DER | sha256sum` for a public key."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return hashlib.sha256(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).hexdigest()[:32]


def _cryptography() -> tuple[Any, Any]:
    """Imports the modules for keys and for their files."""
    try:
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError:
        raise NotInstalled("cryptography", "a signature", "sign") from None
    return ed25519, serialization


def _pem(path: str | Path) -> bytes:
    """Reads a file with one key; several keys are refused as ambiguous."""
    try:
        with Path(path).open("rb") as file:
            pem = file.read(_LARGEST + 1)
    except OSError as error:
        raise BadKey(str(path), (error.strerror or str(error)).lower(), _MAKE) from None
    if pem.count(b"-----BEGIN ") > 1:
        raise BadKey(str(path), "it holds more than one key", "keep each key in a file of its own")
    if len(pem) > _LARGEST:
        raise BadKey(str(path), "it is too long for a key", _MAKE)
    return pem
