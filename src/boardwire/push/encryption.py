"""Encryption and authorization of push messages.

- A message is encrypted for one subscription (RFC 8291, with `aes128gcm` of RFC 8188), so the push service cannot read
  it.
- The server identifies itself with a token signed by its key (VAPID, RFC 8292); a subscription accepts only messages
  signed by that key.
"""

from __future__ import annotations

import hmac
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import Final

import msgspec
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from boardwire.errors import Malformed

RECORD_BYTES: Final = 4096
"""Record size in the header of a message; push services must accept messages of this size (RFC 8030)."""
MAX_MESSAGE_BYTES: Final = 3000
"""Largest message before encryption."""
TOKEN_SECONDS: Final = 12 * 3600
"""Validity of an authorization token; push services accept at most a day (RFC 8292, 2)."""
_CURVE: Final = ec.SECP256R1()


def encode64(data: bytes) -> str:
    """Return data in URL-safe base64 without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decode64(text: str) -> bytes:
    """Return the data of URL-safe base64; raise `Malformed` if it is invalid."""
    try:
        return urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        raise Malformed(f"{text[:20]!r} is not URL-safe base64") from None


def check_keys(public: str, secret: str) -> None:
    """Raise `Malformed` unless these can be the keys of a subscription."""
    _public_key(decode64(public))
    if (count := len(decode64(secret))) != 16:
        raise Malformed(f"the `auth` of the subscription has {count} bytes; it must have 16")


def _public_key(data: bytes) -> ec.EllipticCurvePublicKey:
    try:
        return ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, data)
    except ValueError:
        raise Malformed("the `p256dh` of the subscription is not a point on the curve P-256") from None


def encrypt(
    message: bytes,
    public: bytes,
    secret: bytes,
    sender: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """Return a message encrypted for the subscription with these keys; `sender` and `salt` are random by default."""
    if len(message) > MAX_MESSAGE_BYTES:
        raise Malformed(f"the push message has {len(message)} bytes; the limit is {MAX_MESSAGE_BYTES}")
    sender = sender or ec.generate_private_key(_CURVE)
    salt = salt or os.urandom(16)
    own = _point(sender)
    shared = sender.exchange(ec.ECDH(), _public_key(public))
    first = _expand(_hash(secret, shared), b"WebPush: info\0" + public + own, 32)  # RFC 8291, 3.4
    second = _hash(salt, first)
    key = _expand(second, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _expand(second, b"Content-Encoding: nonce\0", 12)
    header = salt + RECORD_BYTES.to_bytes(4, "big") + bytes([len(own)]) + own
    return header + AESGCM(key).encrypt(nonce, message + b"\x02", None)  # 2 marks the last record


def _hash(key: bytes, data: bytes) -> bytes:
    return hmac.digest(key, data, sha256)


def _expand(key: bytes, info: bytes, length: int) -> bytes:
    """HKDF-Expand for at most one block."""
    return _hash(key, info + b"\x01")[:length]


def _point(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


class ServerKey:
    """The key with which this server signs its requests to push services."""

    def __init__(self, number: int) -> None:
        self._key = ec.derive_private_key(number, _CURVE)
        self.public = encode64(_point(self._key))
        """The public key, which a browser needs to subscribe."""

    @staticmethod
    def new_number() -> int:
        """Return the secret number of a new key."""
        return ec.generate_private_key(_CURVE).private_numbers().private_value

    def authorization(self, origin: str, contact: str, now: float) -> str:
        """Return the header `Authorization` for a push service at `origin`; `contact` is a URL of the operator."""
        claims = {"aud": origin, "exp": int(now) + TOKEN_SECONDS, "sub": contact}
        parts = (msgspec.json.encode({"typ": "JWT", "alg": "ES256"}), msgspec.json.encode(claims))
        text = ".".join(map(encode64, parts))
        r, s = decode_dss_signature(self._key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
        return f"vapid t={text}.{encode64(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}, k={self.public}"
