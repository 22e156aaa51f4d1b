"""python verify.py <issuer> <audience> reads tokens, one a line, and says of each whether it is good."""

import sys

import requests
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

issuer, audience = sys.argv[1:]

# In docs/guide/libraries.md:
# Fetch it again every five minutes, and when a token names an unknown key.
keys = KeySet.import_key_set(requests.get(f"{issuer}/.well-known/jwks.json", timeout=10).json())

rules = jwt.JWTClaimsRegistry(
    iss={"essential": True, "value": issuer},
    aud={"essential": True, "value": audience},
    exp={"essential": True},
)


def verify(token):
    decoded = jwt.decode(token, keys, algorithms=["EdDSA"])
    if decoded.header.get("typ") != "at+jwt":
        raise ValueError("not an access token")
    rules.validate(decoded.claims)
    return decoded.claims
# To here.


for line in sys.stdin:
    try:
        print("accepted:", verify(line.strip())["sub"])
    except (JoseError, ValueError) as error:
        print("refused:", type(error).__name__, error)
