"""A site whose users log in with django-allauth: python allauth_site.py <port>."""

from django.urls import include, path

from django_site import serve

# In docs/guide/login-for-other-software.md:
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {
        "APPS": [
            {
                "provider_id": "keywright",
                "name": "Keywright",
                "client_id": "client_01m81f1h9m6x3r8t2z5w7y0kqd",
                "secret": "kwc_EXAMPLE",
                "settings": {
                    "server_url": "https://id.example.com/t/org_acme",
                    "token_auth_method": "client_secret_basic",
                    "oauth_pkce_enabled": True,
                },
            }
        ]
    }
}
# To here.

library = {
    "SOCIALACCOUNT_PROVIDERS": SOCIALACCOUNT_PROVIDERS,
    "AUTHENTICATION_BACKENDS": ["allauth.account.auth_backends.AuthenticationBackend"],
    # Without a page that asks whether to continue.
    "SOCIALACCOUNT_LOGIN_ON_GET": True,
    "ACCOUNT_EMAIL_VERIFICATION": "none",
}
serve(
    library,
    lambda: [path("accounts/", include("allauth.urls"))],
    login="/accounts/oidc/keywright/login/",
    apps=[
        "allauth",
        "allauth.account",
        "allauth.socialaccount",
        "allauth.socialaccount.providers.openid_connect",
    ],
    middleware=["allauth.account.middleware.AccountMiddleware"],
    details=lambda user: {
        "sub": user.socialaccount_set.get().uid,
        "name": user.get_full_name(),
    },
)
