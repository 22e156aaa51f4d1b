"""A site whose users log in with mozilla-django-oidc: python mozilla_site.py <port>."""

from django.urls import include, path

from django_site import serve

# In docs/guide/login-for-other-software.md:
AUTHENTICATION_BACKENDS = ["mozilla_django_oidc.auth.OIDCAuthenticationBackend"]
OIDC_RP_CLIENT_ID = "client_01m81f1h9m6x3r8t2z5w7y0kqd"
OIDC_RP_CLIENT_SECRET = "kwc_EXAMPLE"
OIDC_RP_SIGN_ALGO = "RS256"
OIDC_OP_AUTHORIZATION_ENDPOINT = "https://id.example.com/t/org_acme/oauth/authorize"
OIDC_OP_TOKEN_ENDPOINT = "https://id.example.com/t/org_acme/auth/token"
OIDC_OP_USER_ENDPOINT = "https://id.example.com/t/org_acme/oauth/userinfo"
OIDC_OP_JWKS_ENDPOINT = "https://id.example.com/t/org_acme/.well-known/jwks.json"
# To here.

library = {name: value for name, value in globals().items() if name.isupper()}
serve(
    library,
    lambda: [path("oidc/", include("mozilla_django_oidc.urls"))],
    login="oidc_authentication_init",
    apps=["mozilla_django_oidc"],
)
