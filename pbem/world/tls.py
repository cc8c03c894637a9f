"""TLS to mail servers: whose certificates we accept, and what to try if a connection fails."""

import socket
import ssl

from pbem.ground.terms import CharterError
from pbem.world.settings import ServerSettings

_UNKNOWN_SIGNER = {18, 19, 20, 21}  # OpenSSL's X509_V_ERR_*: self-signed, or issued by somebody unknown


def context(server: ServerSettings) -> ssl.SSLContext | None:
    """Return the TLS context for a server, or None for none. Errors: CharterError for an unusable ca_file."""
    if server.tls == "none":
        return None
    try:
        return ssl.create_default_context(cafile=server.ca_file or None)
    except OSError as error:
        reason = "holds no certificate in PEM" if isinstance(error, ssl.SSLError) else error.strerror
        raise CharterError(f"{server.ca_file} cannot be used: {reason}. Correct ca_file in settings.toml.") from error


def advice(server: ServerSettings, error: BaseException) -> str:
    """Return a sentence that says what to try when a server could not be reached, or ""."""
    if isinstance(error, ConnectionRefusedError):
        return " Correct host or port; or the server is down."
    if isinstance(error, socket.gaierror):
        return " Correct host."
    silent = isinstance(error, TimeoutError) or "timed out" in str(error)
    if server.tls != "tls" and silent:
        return ' For a port that begins with TLS, such as 993 or 465, set tls = "tls".'
    if server.tls == "tls" and (silent or isinstance(error, ssl.SSLError)):
        is_certificate = isinstance(error, ssl.SSLCertVerificationError)
        return "" if is_certificate else ' For a port that begins in clear, such as 143 or 587, set tls = "starttls".'
    return ""


def describe(error: ssl.SSLCertVerificationError) -> str:
    """Say why a certificate was refused, and what to do if its signer is unknown."""
    hint = ". Give its signer's certificate as ca_file in settings.toml" if error.verify_code in _UNKNOWN_SIGNER else ""
    return f"its certificate does not hold ({error.verify_message}){hint}"
