"""Signatures: what was signed holds, and whatever was changed, cut off, moved or signed by somebody else is refused."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from ratingcore.engine import Engine
from ratingcore.errors import BadKey, BadValue, NotInstalled
from ratingcore.events import Event
from ratingcore.lists.policy import rows_digest
from ratingcore.lists.signatures import PublicKey, Signature, SigningKey, message
from ratingcore.log import SqliteLog
from ratingcore.registry import Registry
from tests.columns.making import POOL, game
from tests.lists.keys import write_keys

Facts = dict[str, Any]
RFC8032 = "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g"
"""Secret key of RFC 8032, section 7.1, test 1, in the PKCS 8 form of RFC 8410."""


def league(*events: Event) -> Engine:
    made = Engine(SqliteLog(":memory:"), Registry.installed())
    made.record(*events)
    return made


@pytest.fixture
def eng() -> Engine:
    return league(game(1, "ann", "bo"), game(2, "cy", "ann", 0.5))


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    write_keys(tmp_path)
    write_keys(tmp_path, "other", "others")
    return tmp_path


def signed(eng: Engine, keys: Path, name: str = "", **asked: Any) -> Facts:
    read: Facts = json.loads(eng.rating_list(POOL, "elo", **asked).document("json", name, sign=keys / "key.pem"))
    return read


def told(eng: Engine, document: Facts, key: Path) -> str:
    proof = eng.prove(document, key)
    check = next(check for check in proof.checks if check.what == "signature")
    assert check.holds == proof.holds
    return check.detail


def test_a_signed_document_holds_with_its_key_and_is_else_the_same(eng: Engine, keys: Path) -> None:
    document = signed(eng, keys)
    proof = eng.prove(document, keys / "public.pem")
    assert proof
    assert proof.checks[-1].what == "signature"
    assert proof.checks[-1].detail == f"signed by key {PublicKey.read(keys / 'public.pem').fingerprint}"
    plain = json.loads(eng.rating_list(POOL, "elo").document("json"))
    assert {name: value for name, value in document.items() if name != "signature"} == plain
    assert signed(eng, keys) == document, "the same document has the same signature"


def test_without_a_key_a_signature_is_said_to_be_unchecked(eng: Engine, keys: Path) -> None:
    document = signed(eng, keys)
    document["signature"] = str(Signature(Signature.parse(document["signature"]).fingerprint, bytes(64)))  # type: ignore[union-attr]  # it is one
    proof = eng.prove(document)
    assert proof
    assert proof.unchecked == (f"the signature by key {PublicKey.read(keys / 'public.pem').fingerprint}",)


def test_an_unsigned_document_does_not_hold_where_a_key_is_asked_for(eng: Engine, keys: Path) -> None:
    plain = json.loads(eng.rating_list(POOL, "elo").document("json"))
    assert eng.prove(plain)
    assert told(eng, plain, keys / "public.pem") == "the document has none"


def another_head(facts: Facts) -> None:
    facts["provenance"]["head"] = "1:" + "0" * 64


def another_row(facts: Facts) -> None:
    facts["rows"][0][2] += 100.0
    facts["digest"] = rows_digest(facts["columns"], facts["rows"])


def another_name(facts: Facts) -> None:
    facts["list"] = "2024-03"


def another_seal(facts: Facts) -> None:
    facts["seal"] = "0" * 64


def another_remark(facts: Facts) -> None:
    facts["provenance"]["remark"] = "approved"


@pytest.mark.parametrize("change", [another_head, another_row, another_name, another_seal, another_remark])
def test_a_changed_document_is_refused(eng: Engine, keys: Path, change: Callable[[Facts], None]) -> None:
    document = signed(eng, keys)
    change(document)
    assert "the document was changed, or has another one's signature" in told(eng, document, keys / "public.pem")


def test_facts_that_were_added_are_refused_with_a_key_and_named_without(eng: Engine, keys: Path) -> None:
    document = signed(eng, keys) | {"approved by": "the federation", "note": 1}
    why = "it does not cover what was added to the document: approved by, note"
    assert told(eng, document, keys / "public.pem") == why
    assert {"approved by", "note"} <= set(eng.prove(document).unchecked)


def test_the_signature_of_another_list_is_refused(eng: Engine, keys: Path) -> None:
    document = signed(eng, keys)
    document["signature"] = signed(eng, keys, through="1970-01-02")["signature"]
    assert "has another one's signature" in told(eng, document, keys / "public.pem")


def test_another_key_is_named_and_one_that_takes_its_fingerprint_is_found(eng: Engine, keys: Path) -> None:
    document = signed(eng, keys)
    mine, others = (PublicKey.read(keys / name).fingerprint for name in ("public.pem", "others.pem"))
    assert told(eng, document, keys / "others.pem") == f"it is by key {mine}, not by {others}"
    document["signature"] = document["signature"].replace(mine, others)
    assert f"key {others} did not sign this" in told(eng, document, keys / "others.pem")


def test_a_signature_that_is_cut_off_or_no_text_is_refused_with_and_without_a_key(eng: Engine, keys: Path) -> None:
    document = signed(eng, keys)
    for spelt in (document["signature"][:-3], document["signature"] + "A", "ed25519", "rsa:" + document["signature"]):
        cut = document | {"signature": spelt}
        assert told(eng, cut, keys / "public.pem") == f"it is not ed25519:KEY:SIGNATURE: {spelt}"
        assert not eng.prove(cut)


def test_a_signature_outlives_the_erasure_of_a_name(keys: Path) -> None:
    eng = league(game(1, "ann", "bo"))
    document = signed(eng, keys)
    eng.erase("bo")
    proof = eng.prove(document, keys / "public.pem")
    assert proof
    assert proof.erased == 1


def test_only_json_is_signed(eng: Engine, keys: Path) -> None:
    listed = eng.rating_list(POOL, "elo")
    for form in ("csv", "markdown"):
        with pytest.raises(BadValue, match="cannot be signed"):
            listed.document(form, sign=keys / "key.pem")


def test_the_signature_is_that_of_the_standard(tmp_path: Path) -> None:
    (tmp_path / "key.pem").write_text(f"-----BEGIN PRIVATE KEY-----\n{RFC8032}\n-----END PRIVATE KEY-----\n")
    key, facts = SigningKey.read(tmp_path / "key.pem"), {"digest": "d", "rows": [1], "provenance": {"b": 1, "a": "é"}}
    assert message(facts).decode() == '["ratingcore list",1,{"digest":"d","provenance":{"a":"é","b":1}}]'
    raw = load_pem_private_key((tmp_path / "key.pem").read_bytes(), None)
    assert isinstance(raw, Ed25519PrivateKey)
    public = raw.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()
    assert public == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    raw.public_key().verify(key.sign(facts).raw, message(facts))


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not part of Python")
def test_keys_that_openssl_makes_are_read_and_have_its_fingerprint(eng: Engine, tmp_path: Path) -> None:
    def openssl(*words: str) -> bytes:
        return subprocess.run(["openssl", *words], cwd=tmp_path, check=True, capture_output=True).stdout

    openssl("genpkey", "-algorithm", "ed25519", "-out", "key.pem")
    openssl("pkey", "-in", "key.pem", "-pubout", "-out", "public.pem")
    (tmp_path / "public.der").write_bytes(openssl("pkey", "-pubin", "-in", "public.pem", "-outform", "DER"))
    digest = openssl("dgst", "-sha256", "-r", "public.der").decode()
    assert PublicKey.read(tmp_path / "public.pem").fingerprint == digest[:32]
    assert eng.prove(signed(eng, tmp_path), tmp_path / "public.pem")


def test_what_is_no_key_is_refused_by_name(keys: Path) -> None:
    x25519 = X25519PrivateKey.generate()
    locked = Ed25519PrivateKey.generate().private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"x")
    )
    (keys / "kind.pem").write_bytes(x25519.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    half = x25519.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    (keys / "kinds.pem").write_bytes(half)
    (keys / "locked.pem").write_bytes(locked)
    (keys / "cut.pem").write_bytes((keys / "key.pem").read_bytes()[:60])
    (keys / "both.pem").write_bytes((keys / "public.pem").read_bytes() + (keys / "others.pem").read_bytes())
    (keys / "mixed.pem").write_bytes((keys / "key.pem").read_bytes() + (keys / "others.pem").read_bytes())
    (keys / "long.pem").write_bytes((keys / "public.pem").read_bytes() + bytes(70_000))
    (keys / "text.pem").write_text("-----BEGIN PUBLIC KEY-----")
    for read, name, why in (
        (SigningKey.read, "none.pem", "no such file or directory"),
        (SigningKey.read, "cut.pem", "it holds no private key in PEM"),
        (SigningKey.read, "public.pem", "it holds no private key in PEM"),
        (SigningKey.read, "kind.pem", "its key is not an Ed25519 key"),
        (SigningKey.read, "locked.pem", "the key is protected by a password"),
        (SigningKey.read, "mixed.pem", "it holds more than one key"),
        (PublicKey.read, "both.pem", "it holds more than one key"),
        (PublicKey.read, "long.pem", "it is too long for a key"),
        (PublicKey.read, "key.pem", "it holds a private key"),
        (PublicKey.read, "none.pem", "no such file or directory"),
        (PublicKey.read, "text.pem", "it holds no public key in PEM"),
        (PublicKey.read, "kinds.pem", "its key is not an Ed25519 key"),
    ):
        with pytest.raises(BadKey) as caught:
            read(keys / name)
        assert str(caught.value) == f"cannot use the key {keys / name}: {why}"
        assert caught.value.hint
    assert "PRIVATE" not in repr(SigningKey.read(keys / "key.pem"))


def test_without_the_library_the_error_says_what_to_install(
    eng: Engine, keys: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = signed(eng, keys)
    for name in ("serialization", "asymmetric", "asymmetric.ed25519"):
        monkeypatch.setitem(sys.modules, f"cryptography.hazmat.primitives.{name}", None)
    assert eng.prove(document), "the rest is proved all the same"
    for asked in (lambda: signed(eng, keys), lambda: eng.prove(document, keys / "public.pem")):
        with pytest.raises(NotInstalled) as caught:
            asked()
        assert caught.value.hint == 'pip install "ratingcore[sign]"'
