"""Verifies webhooks in Python 3.9 or newer. Needs `pip install cryptography` for X-Service-Signature."""

import base64
import hashlib
import hmac
import json
import sys
import time

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_public_key


def is_signed(raw_body: bytes, header: str, public_key_pem: bytes) -> bool:
    """Whether X-Service-Signature is the service's own, over the body as it was received, byte for byte.

    While a key rotation is open, it contains two signatures, by the current and by the next key: either may match your key.
    """
    try:
        signatures = json.loads(header)
    except ValueError:
        return False
    if not isinstance(signatures, dict) or signatures.get("v") != "1":
        return False
    key = load_pem_public_key(public_key_pem)
    for signature in (signatures.get("s"), signatures.get("n")):
        try:
            if isinstance(signature, str):
                key.verify(base64.b64decode(signature), raw_body, ECDSA(SHA256()))
                return True
        except (InvalidSignature, ValueError):
            pass
    return False


def is_fresh(raw_body: bytes, headers: dict, secret: str) -> bool:
    """Whether the headers of Standard Webhooks are valid and at most five minutes old. `secret` is whsec_…"""
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers.get('webhook-id')}.{timestamp}.".encode() + raw_body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return any(
        hmac.compare_digest(given.encode(), f"v1,{expected}".encode())
        for given in headers.get("webhook-signature", "").split(" ")
    )


def main() -> None:
    """`python verify.py key.pem whsec_… < requests`: each line is {"headers": {…}, "body": "base64"}."""
    with open(sys.argv[1], "rb") as file:
        public_key_pem = file.read()
    for line in sys.stdin:
        request = json.loads(line)
        headers, raw_body = request["headers"], base64.b64decode(request["body"])
        genuine = is_signed(raw_body, headers.get("x-service-signature", ""), public_key_pem)
        print("true" if genuine and is_fresh(raw_body, headers, sys.argv[2]) else "false")


if __name__ == "__main__":
    main()
