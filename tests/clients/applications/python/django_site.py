"""A Django site: its settings, its home page and its server are the same for each library."""

import os
import sys

import django
from django.conf import settings
from django.core.management import call_command
from django.http import HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.urls import path

APPS = ["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions"]


FORM = (
    '<form method="post" action="{}"><input type="hidden" name="csrfmiddlewaretoken" value="{}">'
    '<button id="login">Sign in</button></form>'
)


def serve(
    library, urls, login, is_form=False, apps=(), middleware=(), details=lambda user: {}
):
    """Serves the site at localhost, on the port in the arguments.

    library: settings of the library. login: path where a login begins. is_form: by POST.
    """
    os.environ["DJANGO_SETTINGS_MODULE"] = "unused"
    settings.configure(
        SECRET_KEY="only for a test, which is why anyone can read it here",
        ALLOWED_HOSTS=["localhost"],
        ROOT_URLCONF="django_site",
        INSTALLED_APPS=[*APPS, "django.contrib.messages", *apps],
        MIDDLEWARE=[
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
            "django.contrib.messages.middleware.MessageMiddleware",
            *middleware,
        ],
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "site.sqlite3"}},
        TEMPLATES=[
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "APP_DIRS": True,
                "OPTIONS": {
                    "context_processors": [
                        "django.template.context_processors.request",
                        "django.contrib.auth.context_processors.auth",
                        "django.contrib.messages.context_processors.messages",
                    ]
                },
            }
        ],
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        USE_TZ=True,
        LOGIN_REDIRECT_URL="/",
        **library,
    )
    django.setup()

    def home(request):
        if not request.user.is_authenticated:
            form = FORM.format(login, get_token(request))
            return HttpResponse(form) if is_form else redirect(login)
        return JsonResponse({"email": request.user.email, **details(request.user)})

    urlpatterns.extend([path("", home), *urls()])
    call_command("migrate", verbosity=0)
    call_command("runserver", f"localhost:{sys.argv[1]}", use_reloader=False)


urlpatterns = []
