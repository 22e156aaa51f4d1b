"""Verifies access tokens as any Python service would: PyJWT, the published key set, nothing else.

Reads {"key_set", "issuer", "audience", "tokens"} as JSON on standard input, and writes for each token its
claims, or the name of the error that refuses it.
"""

import json
import sys

import jwt

asked = json.load(sys.stdin)
keys = jwt.PyJWKClient(asked["key_set"])


def verify(token):
    try:
        return jwt.decode(
            token,
            keys.get_signing_key_from_jwt(token).key,
            algorithms=["EdDSA"],
            issuer=asked["issuer"],
            audience=asked["audience"],
            options={"require": ["exp", "iat", "iss", "aud", "sub"]},
        )
    except jwt.PyJWTError as error:
        return type(error).__name__


json.dump([verify(token) for token in asked["tokens"]], sys.stdout)
