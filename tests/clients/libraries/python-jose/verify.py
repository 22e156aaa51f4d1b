"""python verify.py <issuer> <audience> reads tokens, one a line. It accepts none: python-jose has no EdDSA."""

import sys

import requests
from jose import jwt
from jose.exceptions import JOSEError

issuer, audience = sys.argv[1:]
keys = requests.get(f"{issuer}/.well-known/jwks.json", timeout=10).json()

for line in sys.stdin:
    try:
        claims = jwt.decode(
            line.strip(), keys, algorithms=["EdDSA"], issuer=issuer, audience=audience
        )
        print("accepted:", claims["sub"])
    except JOSEError as error:
        print("refused:", type(error).__name__, error)
