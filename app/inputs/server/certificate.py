"""The certificate of this installation: made once, kept in a folder of the user's own, its key readable by the user alone.

A browser has never heard of who signed it and says so; the fingerprint that the window shows beside the QR code is what it can be compared with.
"""
from __future__ import annotations

import datetime
import ipaddress
import os
import secrets
import ssl
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

CERTIFICATE, KEY = "certificate.pem", "key.pem"
VALID = datetime.timedelta(days=365)
RENEWED = datetime.timedelta(days=14)       # before its end
ALWAYS = ("localhost", "127.0.0.1", "::1")  # names that it holds for, besides the address that is served


class Certificate(NamedTuple):
    """Paths of both files, and the SHA-256 of the certificate as pairs of hexadecimal digits."""

    certificate: Path
    key: Path
    fingerprint: str

    def context(self) -> ssl.SSLContext:
        """For a server: TLS 1.2 and newer."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(self.certificate, self.key)
        return context


def installation_folder() -> Path:
    """Where this user's certificate is kept."""
    import platformdirs

    return Path(platformdirs.user_data_dir("linkwork")) / "teleoperation"


def certificate_for(host: str, folder: Path | None = None) -> Certificate:
    """The certificate of this installation, one that holds for `host`; made anew where there is none, it ends soon, lacks the host, or others may read its key. Raises OSError."""
    folder = installation_folder() if folder is None else folder
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    names = dict.fromkeys((*ALWAYS, host))
    found = _known(folder, names)
    return _made(folder, names) if found is None else found


def _known(folder: Path, names) -> Certificate | None:
    from cryptography import x509

    paths = folder / CERTIFICATE, folder / KEY
    try:
        if os.name == "posix" and os.stat(paths[1]).st_mode & 0o077:
            return None
        certificate = x509.load_pem_x509_certificate(paths[0].read_bytes())
        mine = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        if certificate.not_valid_after_utc - RENEWED < datetime.datetime.now(datetime.timezone.utc) or not all(name in mine for name in _alternatives(names)):
            return None
        found = Certificate(*paths, _fingerprint(certificate))
        found.context()     # the two belong together
        return found
    except (OSError, ValueError, x509.ExtensionNotFound):
        return None


def _alternatives(names) -> list:
    from cryptography import x509

    out = []
    for name in names:
        try:
            out.append(x509.IPAddress(ipaddress.ip_address(name)))
        except ValueError:
            out.append(x509.DNSName(name))
    return out


def _made(folder: Path, names) -> Certificate:
    """A key on the curve P-256, and a certificate that it has signed itself."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Linkwork on this computer")])
    now = datetime.datetime.now(datetime.timezone.utc)
    certificate = (
        x509.CertificateBuilder().subject_name(subject).issuer_name(subject).public_key(key.public_key()).serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(now + VALID)
        .add_extension(x509.SubjectAlternativeName(_alternatives(names)), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256()))
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    _write(folder / KEY, pem)
    _write(folder / CERTIFICATE, certificate.public_bytes(serialization.Encoding.PEM))
    return Certificate(folder / CERTIFICATE, folder / KEY, _fingerprint(certificate))


def _write(path: Path, data: bytes) -> None:
    """A file that nobody else can read at any moment, complete or not there."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def _fingerprint(certificate) -> str:
    from cryptography.hazmat.primitives import hashes

    return certificate.fingerprint(hashes.SHA256()).hex(":").upper()
