"""Signatures without keys to guard: Sigstore's, by an identity such as a GitHub workflow or an e-mail address."""

from __future__ import annotations

import logging
from pathlib import Path

from ..errors import CheckFailed, UsageError, extra
from ..system import read_regular

_LARGEST = 1 << 20


def sign_bundle(content: bytes) -> bytes:
    """Sigstore's bundle for some bytes, by the identity of the machine's workflow, or of a person who logs in.

    Needs a network. Raises UsageError.
    """
    check_installed()
    from sigstore import errors
    from sigstore.models import ClientTrustConfig
    from sigstore.oidc import IdentityToken, Issuer, IssuerError, detect_credential
    from sigstore.sign import SigningContext

    try:
        trust = ClientTrustConfig.production()
        found = detect_credential()
        token = IdentityToken(found) if found else Issuer(trust.signing_config.get_oidc_url()).identity_token()
        with SigningContext.from_trust_config(trust).signer(token) as signer:
            return signer.sign_artifact(content).to_json().encode()
    except (errors.Error, IssuerError, OSError) as error:
        raise UsageError(f"Sigstore could not sign: {_first_line(error)}") from None


def check_bundle(content: bytes, bundle: Path, identity: str, issuer: str) -> None:
    """Check that an identity, vouched for by an issuer, signed these bytes. Needs no network.

    Raises CheckFailed, UsageError for a file that can't be read.
    """
    check_installed()
    from sigstore import errors
    from sigstore.models import Bundle
    from sigstore.verify import Verifier
    from sigstore.verify.policy import Identity

    try:
        parsed = Bundle.from_json(read_regular(bundle, _LARGEST))
        Verifier.production(offline=True).verify_artifact(content, parsed, Identity(identity=identity, issuer=issuer))
    except OSError as error:
        raise UsageError(f"{bundle}: {error.strerror}") from None
    except (errors.Error, ValueError) as error:
        raise CheckFailed(f"{bundle}: Sigstore does not confirm it: {_first_line(error)}") from None


def check_installed() -> None:
    """Raises UsageError unless Sigstore's package is installed."""
    with extra("sigstore", "--sigstore"):
        import sigstore  # noqa: F401
    logging.getLogger("sigstore").setLevel(logging.ERROR)  # it warns that it works offline


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]
