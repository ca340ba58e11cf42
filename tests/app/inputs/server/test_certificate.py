"""The certificate of an installation."""
import datetime
import hashlib
import ssl

import pytest
from cryptography import x509

from app.inputs.server import certificate
from app.inputs.server.certificate import certificate_for


def names(made) -> set[str]:
    found = x509.load_pem_x509_certificate(made.certificate.read_bytes())
    mine = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {str(n) for n in (*mine.get_values_for_type(x509.DNSName), *mine.get_values_for_type(x509.IPAddress))}


def test_it_is_made_once_and_its_key_is_the_users_alone(tmp_path):
    folder = tmp_path / "new"
    made = certificate_for("127.0.0.1", folder)
    assert made.key.stat().st_mode & 0o777 == 0o600 and folder.stat().st_mode & 0o077 == 0 and {p.name for p in folder.iterdir()} == {"certificate.pem", "key.pem"}
    assert b"PRIVATE KEY" in made.key.read_bytes() and b"PRIVATE" not in made.certificate.read_bytes()
    assert certificate_for("127.0.0.1", folder) == made and certificate_for("localhost", folder) == made


def test_the_fingerprint_is_that_of_the_certificate(tmp_path):
    made = certificate_for("127.0.0.1", tmp_path)
    der = ssl.PEM_cert_to_DER_cert(made.certificate.read_text())
    assert made.fingerprint.replace(":", "").lower() == hashlib.sha256(der).hexdigest() and made.fingerprint.count(":") == 31
    assert made.context().minimum_version == ssl.TLSVersion.TLSv1_2


def test_another_address_gets_a_certificate_that_holds_for_it(tmp_path):
    first = certificate_for("127.0.0.1", tmp_path)
    second = certificate_for("192.168.7.3", tmp_path)
    assert second.fingerprint != first.fingerprint and {"192.168.7.3", "localhost", "127.0.0.1"} <= names(second)


def _readable(made, _monkeypatch):
    made.key.chmod(0o640)


def _cut(made, _monkeypatch):
    made.certificate.write_bytes(made.certificate.read_bytes()[:100])


def _of_another(made, _monkeypatch):
    made.key.write_bytes(certificate_for("127.0.0.1", made.key.parent / "other").key.read_bytes())


def _old(_made, monkeypatch):
    monkeypatch.setattr(certificate, "RENEWED", certificate.VALID + datetime.timedelta(days=1))


@pytest.mark.parametrize("spoil", [_readable, _cut, _of_another, _old])
def test_what_cannot_be_trusted_any_more_is_made_anew(tmp_path, monkeypatch, spoil):
    first = certificate_for("127.0.0.1", tmp_path)
    spoil(first, monkeypatch)
    second = certificate_for("127.0.0.1", tmp_path)
    assert second.fingerprint != first.fingerprint and second.key.stat().st_mode & 0o777 == 0o600
    second.context()
