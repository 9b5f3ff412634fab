"""Passkeys (WebAuthn), using the library `webauthn`.

- A passkey is discoverable: signing in requires no name, and the server lists no credentials (no name enumeration).
- The relying party is the host of the page; browsers allow passkeys on HTTPS and on `localhost`, not on IP addresses.
- The library is imported when the first passkey is used: it takes longer than the rest of the server.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import msgspec

from boardwire.errors import Malformed, Reason, Refused

RELYING_PARTY_NAME: Final = "boardwire"
PROMPT_SECONDS: Final = 120
"""Seconds that a browser gives a person to confirm."""


class Passkey(NamedTuple):
    """A verified new passkey."""

    id: str
    public_key: bytes
    sign_count: int


def relying_party(origin: str) -> str:
    """Return the relying party of a page; raise `Malformed` if it cannot have passkeys."""
    try:
        parts = urlsplit(origin)
        host = parts.hostname or ""
    except ValueError:
        host, parts = "", urlsplit("")
    is_address = not host or ":" in host or host.replace(".", "").isdigit()
    if is_address or (parts.scheme != "https" and host != "localhost" and not host.endswith(".localhost")):
        raise Malformed("passkeys need a page over HTTPS or on localhost; use a recovery code")
    return host


def creation_options(origin: str, challenge: bytes, name: str, user: bytes) -> Any:
    """Return the options with which a browser creates a passkey, as JSON data."""
    from webauthn import generate_registration_options, options_to_json
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    options = generate_registration_options(
        rp_id=relying_party(origin),
        rp_name=RELYING_PARTY_NAME,
        user_id=user,
        user_name=name,
        user_display_name=name,
        challenge=challenge,
        timeout=PROMPT_SECONDS * 1000,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.PREFERRED
        ),
    )
    return msgspec.json.decode(options_to_json(options))


def request_options(origin: str, challenge: bytes) -> Any:
    """Return the options with which a browser signs in, as JSON data."""
    from webauthn import generate_authentication_options, options_to_json
    from webauthn.helpers.structs import UserVerificationRequirement

    options = generate_authentication_options(
        rp_id=relying_party(origin),
        challenge=challenge,
        timeout=PROMPT_SECONDS * 1000,
        user_verification=UserVerificationRequirement.PREFERRED,
    )
    return msgspec.json.decode(options_to_json(options))


def challenge_of(credential: Any) -> bytes:
    """Return the challenge that an unverified credential answers."""
    from webauthn.helpers import base64url_to_bytes, parse_client_data_json

    try:
        client_data = base64url_to_bytes(credential["response"]["clientDataJSON"])
        return parse_client_data_json(client_data).challenge
    except Exception as error:  # noqa: BLE001 - the client may send anything
        raise Malformed(f"invalid passkey response: {error}") from None


def verify_new(credential: Any, origin: str, challenge: bytes) -> Passkey:
    """Verify a new passkey; raise `Refused` if it is not valid for this page and challenge."""
    from webauthn import verify_registration_response
    from webauthn.helpers import bytes_to_base64url

    try:
        verified = verify_registration_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=relying_party(origin),
            expected_origin=origin,
            require_user_verification=False,
        )
    except Malformed:
        raise
    except Exception as error:  # noqa: BLE001 - the library raises its own exceptions and those of its parsers
        raise _refusal(error) from None
    return Passkey(bytes_to_base64url(verified.credential_id), verified.credential_public_key, verified.sign_count)


def verify_answer(credential: Any, origin: str, challenge: bytes, public_key: bytes, sign_count: int) -> int:
    """Verify the response of a known passkey and return its new signature counter; raise `Refused` if it is invalid."""
    from webauthn import verify_authentication_response

    try:
        verified = verify_authentication_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=relying_party(origin),
            expected_origin=origin,
            credential_public_key=public_key,
            credential_current_sign_count=sign_count,
            require_user_verification=False,
        )
    except Malformed:
        raise
    except Exception as error:  # noqa: BLE001 - the library raises its own exceptions and those of its parsers
        raise _refusal(error) from None
    return verified.new_sign_count


def _refusal(error: Exception) -> Refused:
    return Refused(f"the passkey was not accepted: {str(error) or type(error).__name__}", reason=Reason.BAD_TOKEN)
