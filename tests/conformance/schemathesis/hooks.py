"""What schemathesis needs to know of Keywright: how an administrator logs in, and that errors have codes."""

import json
import os
import urllib.request

import schemathesis

URL = os.environ["KEYWRIGHT_URL"]
# Of requests that reach no operation.
GENERAL_CODES = {"ROUTE_NOT_FOUND", "METHOD_NOT_ALLOWED", "REQUEST_MALFORMED"}

with urllib.request.urlopen(URL + "/openapi.json") as answer:
    DOCUMENT = json.load(answer)


class Session:
    token = None


# Kept here and not by schemathesis: what is tried ends sessions.
@schemathesis.auth(refresh_interval=None)
class Administrator:
    def get(self, case, context):
        if Session.token is None:
            Session.token = log_in()
        return Session.token

    def set(self, case, data, context):
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.hook
def after_call(context, case, response):
    if response.status_code == 401:
        Session.token = None


def log_in():
    body = {
        "identifier": os.environ["KEYWRIGHT_IDENTIFIER"],
        "secret": os.environ["KEYWRIGHT_SECRET"],
    }
    request = urllib.request.Request(
        URL + "/api/sso/v1/auth/login",
        data=json.dumps(body).encode(),
        headers={"content-type": "application/json", "x-tenant-id": "org_default"},
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["access_token"]


@schemathesis.check
def code_is_documented(context, response, case):
    """An error has one of the codes that the operation names under its status."""
    operation = DOCUMENT["paths"].get(case.operation.path, {}).get(case.method.lower())
    if response.status_code < 400 or operation is None:
        return
    code = response.json().get("code")
    if code is None or code in GENERAL_CODES:
        return
    documented = operation["responses"].get(str(response.status_code), {})
    if "$ref" in documented:
        documented = DOCUMENT["components"]["responses"][documented["$ref"].rsplit("/", 1)[1]]
    assert f"`{code}`" in documented.get("description", ""), f"{code} is not documented"
