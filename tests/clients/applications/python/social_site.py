"""A site whose users log in with python-social-auth: python social_site.py <port>."""

from django.urls import include, path

from django_site import serve

# In docs/guide/login-for-other-software.md:
AUTHENTICATION_BACKENDS = ["social_core.backends.open_id_connect.OpenIdConnectAuth"]
SOCIAL_AUTH_OIDC_OIDC_ENDPOINT = "https://id.example.com/t/org_acme"
SOCIAL_AUTH_OIDC_KEY = "client_01m81f1h9m6x3r8t2z5w7y0kqd"
SOCIAL_AUTH_OIDC_SECRET = "kwc_EXAMPLE"
# To here.

library = {name: value for name, value in globals().items() if name.isupper()}
serve(
    library,
    lambda: [path("", include("social_django.urls", namespace="social"))],
    login="/login/oidc/",
    is_form=True,
    apps=["social_django"],
    details=lambda user: {
        "sub": user.social_auth.get().uid,
        "name": user.get_full_name(),
    },
)
