"""python verify.py <issuer> <audience> reads tokens, one a line, and says of each whether it is good."""

import sys

import jwt

issuer, audience = sys.argv[1:]

# In docs/guide/libraries.md:
keys = jwt.PyJWKClient(f"{issuer}/.well-known/jwks.json")


def verify(token):
    decoded = jwt.decode_complete(
        token,
        keys.get_signing_key_from_jwt(token),
        algorithms=["EdDSA"],
        issuer=issuer,
        audience=audience,
        options={"require": ["iss", "aud", "exp"]},
    )
    if decoded["header"].get("typ") != "at+jwt":
        raise jwt.InvalidTokenError("not an access token")
    return decoded["payload"]
# To here.


for line in sys.stdin:
    try:
        print("accepted:", verify(line.strip())["sub"])
    except jwt.PyJWTError as error:
        print("refused:", type(error).__name__, error)
