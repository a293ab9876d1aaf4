"""A server that speaks TLS."""

from __future__ import annotations

import datetime
import ipaddress
import pathlib
import sys

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from support import SDK, BotProcess, Server


def certificate(folder: pathlib.Path) -> tuple[pathlib.Path, pathlib.Path]:
    """A certificate for this machine that signs itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "azulejo test")])
    address = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    now = datetime.datetime.now(datetime.timezone.utc)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([address]), critical=False)
        .sign(key, hashes.SHA256())
    )
    chain, secret = folder / "chain.pem", folder / "key.pem"
    chain.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    secret.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return chain, secret


def test_a_bot_plays_over_tls_only_if_it_trusts_the_certificate(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain, key = certificate(tmp_path)
    server = Server(tmp_path, "--tls-cert", str(chain), "--tls-key", str(key))
    url = server.url.replace("http:", "https:")
    script = str(SDK / "tests/speaking_bot.py")
    command = (sys.executable, script, repr({"challenge": "random", "matches": 1}))
    try:
        stranger = BotProcess(*command, server=url)
        stranger.wait_for("UnavailableError: no server answers")
        assert stranger.end(0) == 1
        monkeypatch.setenv("GRPC_DEFAULT_SSL_ROOTS_FILE_PATH", str(chain))
        friend = BotProcess(*command, server=url)
        friend.wait_for("^ended .* END_REASON_FINISHED True")
        friend.wait_for("^stopped$")
        assert friend.end(0) == 0
    finally:
        server.stop()
