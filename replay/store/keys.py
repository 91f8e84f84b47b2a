"""Keys that are made once and kept where nobody else may read them, and the one that signs checkpoints (Ed25519)."""

import os
from collections.abc import Callable
from pathlib import Path
from secrets import token_hex, token_urlsafe

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from replay.settings import KEY_DIGITS
from replay.store.blobs import sync_folder

KEY_BYTES = 32


def kept_key(path: Path, make: Callable[[], str]) -> str:
    """The key in a file that nobody else may read; of several that make it at once, all take the same."""
    beside = path.with_name(f"{path.name}.{token_urlsafe(8)}")
    if not path.exists():
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as stream:
            stream.write(make())
            stream.flush()
            os.fsync(stream.fileno())
        try:
            os.link(beside, path)
        except FileExistsError:
            pass
        finally:
            beside.unlink()
        sync_folder(path.parent)
    return path.read_text(encoding="ascii")


def new_signing_key() -> str:
    """A new private key."""
    return token_hex(KEY_BYTES)


def signing_key(digits: str) -> Ed25519PrivateKey:
    """The private key of 64 hexadecimal digits. Raises ``ValueError`` for others."""
    if not KEY_DIGITS.fullmatch(digits):
        raise ValueError("a signing key is 64 hexadecimal digits")
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(digits))


def public_digits(key: Ed25519PrivateKey) -> str:
    """The public key of a private one, in hexadecimal digits."""
    return key.public_key().public_bytes_raw().hex()


def is_signed(key: str, signature: str, data: bytes) -> bool:
    """Whether the owner of a public key has signed these bytes; key and signature are hexadecimal digits."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), data)
    except (InvalidSignature, ValueError):
        return False
    return True
