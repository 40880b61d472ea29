"""Keys for tests, as `openssl genpkey -algorithm ed25519` and `openssl pkey -pubout` write them."""

from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat


def write_keys(folder: Path, name: str = "key", public: str = "public") -> None:
    """Writes a fresh key and its public half into a folder."""
    key = Ed25519PrivateKey.generate()
    (folder / f"{name}.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    half = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    (folder / f"{public}.pem").write_bytes(half)
