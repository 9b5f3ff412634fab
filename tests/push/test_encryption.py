"""Push messages are encrypted as RFC 8291 says, and the server identifies itself as RFC 8292 says."""

import msgspec
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from boardwire.errors import Malformed
from boardwire.push.encryption import MAX_MESSAGE_BYTES, ServerKey, check_keys, decode64, encode64, encrypt

PUBLIC = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
SECRET = "BTBZMqHH6r4Tts7J_aSIgg"


def test_the_example_of_rfc_8291() -> None:
    """Appendix A: the same keys and salt give the same message."""
    sender = ec.derive_private_key(
        int.from_bytes(decode64("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big"), ec.SECP256R1()
    )
    message = b"When I grow up, I want to be a watermelon"
    found = encrypt(message, decode64(PUBLIC), decode64(SECRET), sender, decode64("DGv6ra1nlYgDCS1FRnbzlw"))
    assert encode64(found) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
        "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
        "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_two_messages_share_nothing() -> None:
    one, other = (encrypt(b"x", decode64(PUBLIC), decode64(SECRET)) for _ in range(2))
    assert one[:16] != other[:16]
    assert one[21:86] != other[21:86]


def test_the_authorization_is_signed_by_the_key_that_it_names() -> None:
    number = ServerKey.new_number()
    key = ServerKey(number)
    scheme, token, public = key.authorization("https://push.example", "https://games.example/", 1000.0).split(" ", 2)
    assert scheme == "vapid"
    assert public == f"k={key.public}"
    head, claims, signature = token.removeprefix("t=").rstrip(",").split(".")
    assert msgspec.json.decode(decode64(claims)) == {
        "aud": "https://push.example", "exp": 1000 + 12 * 3600, "sub": "https://games.example/",
    }  # fmt: skip
    raw = decode64(signature)
    der = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode64(key.public))
    point.verify(der, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))


@pytest.mark.parametrize(("public", "secret"), [
    ("", SECRET), ("AAAA", SECRET), (PUBLIC[:-4], SECRET), ("ü", SECRET), (PUBLIC, ""), (PUBLIC, "AAAA"), (PUBLIC, "*"),
])  # fmt: skip
def test_keys_that_are_none_are_refused(public: str, secret: str) -> None:
    check_keys(PUBLIC, SECRET)
    with pytest.raises(Malformed):
        check_keys(public, secret)


def test_a_long_message_is_refused() -> None:
    with pytest.raises(Malformed, match="the limit is"):
        encrypt(b"x" * (MAX_MESSAGE_BYTES + 1), decode64(PUBLIC), decode64(SECRET))
