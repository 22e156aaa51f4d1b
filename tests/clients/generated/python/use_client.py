"""Uses the client that openapi-generator makes for Python, and prints what it got as JSON."""

import json
import os

import keywright
from keywright.exceptions import ApiException

URL = os.environ["KEYWRIGHT_URL"]
PERSON = os.environ["KEYWRIGHT_PERSON"]


def log_in() -> str:
    with keywright.ApiClient(keywright.Configuration(host=URL)) as client:
        request = keywright.AuthLoginRequest(
            identifier=os.environ["KEYWRIGHT_IDENTIFIER"], secret=os.environ["KEYWRIGHT_SECRET"]
        )
        return keywright.AuthApi(client).auth_login(request).access_token


def list_ids(users: keywright.UsersApi) -> list[str]:
    ids: list[str] = []
    cursor = None
    while True:
        page = users.users_list(limit=1, cursor=cursor)
        ids += [user.id for user in page.items]
        cursor = page.meta.next_cursor
        if cursor is None:
            return ids


def refusal(users: keywright.UsersApi) -> dict:
    try:
        users.users_create(keywright.UsersCreateRequest(identifier="nobody", password="long enough 1"))
    except ApiException as error:
        told: keywright.Error = error.data
        return {"status": error.status, "code": told.code, "path": told.errors[0].path}
    raise SystemExit("A wrong identifier was accepted.")


def main() -> None:
    configuration = keywright.Configuration(host=URL, access_token=log_in())
    with keywright.ApiClient(configuration) as client:
        users = keywright.UsersApi(client)
        password = os.environ["KEYWRIGHT_PASSWORD"]
        user = users.users_create(keywright.UsersCreateRequest(identifier=PERSON, password=password))
        agent = keywright.AgentsApi(client).agents_create(keywright.AgentsCreateRequest(name="generated"))
        key = keywright.ApikeysApi(client).apikeys_create(
            keywright.ApikeysCreateRequest(agent_id=agent.id, name="generated")
        )
        result = {
            "user": user.id,
            "listed": list_ids(users),
            "agent": agent.id,
            "has_jwks": agent.jwks is not None and agent.jwks.to_dict() is not None,
            "key": key.key,
            "last_used_at": key.last_used_at,
            "expires_at": int(key.expires_at.timestamp()),
            "refusal": refusal(users),
        }
    print(json.dumps(result))


main()
