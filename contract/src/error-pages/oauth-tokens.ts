import type { ErrorPages } from './page.ts';

const TOKEN = 'POST /auth/token';
const CLIENT = 'client_01m7z2d5jfe9zr0j4dgg8m5yx4';
const AGENT = 'service:01m7z2d5jfe9zr0j4dgg8m5yx4';
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';

/** Errors of the token endpoint. */
export const OAUTH_TOKEN_PAGES = {
  GRANT_TYPE_UNSUPPORTED: {
    causes: [
      'The token request has an unknown `grant_type`, such as `password` or `implicit`. OAuth 2.1 removed these two.',
      'The parameter has a typo. The URNs of the device and exchange grants are long.',
    ],
    fixes: [
      'Use one of the values in the detail.',
      'For users with a password, use the hosted login with an authorization code, or `POST /auth/login` in your own login page.',
      'For services, use `client_credentials`.',
    ],
    example: {
      request: TOKEN,
      form: { grant_type: 'password', username: 'ada', password: '…', client_id: CLIENT },
    },
    guides: ['guide/openid.md', 'guide/machine-tokens.md'],
  },
  GRANT_INVALID: {
    causes: [
      'An authorization code was used twice, or is older than 60 seconds.',
      'The token request’s `redirect_uri` differs from the one in the authorization request, or `code_verifier` does not match `code_challenge`.',
      'A refresh token has expired, was revoked with its session, or was used after it had been replaced.',
      'The code or token belongs to another client, or is bound to another DPoP key.',
      'A JWT assertion has expired, is for another audience, or its issuer is not trusted.',
    ],
    fixes: [
      'Start the login again: invalid codes and refresh tokens cannot be restored.',
      'Exchange the code once, immediately, with the same `redirect_uri` and this login’s code verifier. Reloading the callback page sends the code again.',
      'Check the tenant’s audit log for the exact reason.',
    ],
    example: {
      request: TOKEN,
      form: {
        grant_type: 'authorization_code',
        client_id: CLIENT,
        code: '<used code>',
        redirect_uri: 'https://app.acme.example/callback',
        code_verifier: '<verifier>',
      },
    },
    guides: [
      'guide/openid.md',
      'guide/add-login.md',
      'guide/key-pairs.md',
      'guide/workload-identity.md',
    ],
  },
  CLIENT_INVALID: {
    causes: [
      '`client_secret` is wrong, was deleted, or was truncated when it was copied.',
      '`client_id` is unknown in this tenant, or the client is inactive. Agents have IDs such as `service:…`, applications such as `client_…`.',
      'The client’s authentication method does not match its registered `token_endpoint_auth_method`.',
      'A client assertion has expired, was already used, or does not name this service in `aud`.',
      'The request names two different clients, in `Authorization: Basic` and in `client_id`.',
    ],
    fixes: [
      'Check the authentication method: a public client (`none`) does not send a secret; others send it as registered.',
      'Create a second secret with `POST /clients/{client_id}/secrets`, deploy it, and delete the old one.',
      'Check the tenant in the URL or in `X-Tenant-ID`.',
    ],
    example: {
      request: TOKEN,
      form: { grant_type: 'client_credentials', client_id: AGENT, client_secret: 'wrong' },
    },
    guides: ['guide/machine-tokens.md', 'guide/add-login.md', 'guide/openid.md'],
  },
  CLIENT_UNAUTHORIZED: {
    causes: [
      'The client is not registered for this grant: its `grant_types` does not contain it, for example the device grant or `refresh_token`.',
      'A client requests tokens for itself with `client_credentials`, which is only for clients that receive shared signals. Services use an agent.',
      'The client shows its own login screens but is not allowed to, because `in_app_login` or `first_party` is not set.',
      'A client tries to revoke another client’s token.',
    ],
    fixes: [
      'Add the grant to `grant_types` with `PATCH /clients/{client_id}`.',
      'For a service without users, create an agent and use its ID as `client_id`.',
      'For logins inside an application, an administrator sets `first_party` and `in_app_login`.',
    ],
    example: {
      request: TOKEN,
      form: {
        grant_type: 'refresh_token',
        client_id: CLIENT,
        refresh_token: '<refresh_token>',
      },
    },
    guides: ['guide/openid.md', 'guide/devices.md', 'guide/in-app-login.md'],
  },
  AUTHORIZATION_PENDING: {
    causes: [
      'The user has not entered the device’s code, or has not confirmed the login yet. This is the normal response while a device waits.',
    ],
    fixes: [
      'Wait for `interval` seconds (5 by default), and send the same request again until you get tokens or another error.',
      'Show the user the code and the URL during this time. The code is valid for 10 minutes.',
      'Stop when the user cancels on the device.',
    ],
    example: {
      request: TOKEN,
      form: {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        client_id: CLIENT,
        device_code: '<device_code>',
      },
    },
    guides: ['guide/devices.md'],
  },
  SLOW_DOWN: {
    causes: [
      'A device polls more often than its interval allows.',
      'Two processes poll with the same `device_code`.',
    ],
    fixes: [
      'Add 5 seconds to the interval, and keep the longer interval for this code (RFC 8628, section 3.5).',
      'Measure the interval from the end of a request, and let only one process poll.',
    ],
    example: {
      request: TOKEN,
      form: {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        client_id: CLIENT,
        device_code: '<device_code>',
      },
    },
    guides: ['guide/devices.md'],
  },
  DEVICE_CODE_EXPIRED: {
    causes: [
      'The user did not confirm the login within 10 minutes.',
      'The device was off or offline, and polls with an old code.',
    ],
    fixes: [
      'Request a new code at the device authorization endpoint, and show it.',
      'Do this only when the user is present, for example after they press a button, so that devices do not request codes forever.',
    ],
    example: {
      request: TOKEN,
      form: {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        client_id: CLIENT,
        device_code: '<device_code>',
      },
    },
    guides: ['guide/devices.md'],
  },
  DEVICE_DENIED: {
    causes: [
      'The user declined the device’s login.',
      'The user cannot approve the login, for example because they are inactive or do not have any of the requested scopes.',
    ],
    fixes: [
      'Stop polling, and show the user on the device that the login was declined.',
      'Request fewer scopes if the user lacks them.',
      'If the user declined by mistake, start again with a new code.',
    ],
    example: {
      request: TOKEN,
      form: {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        client_id: CLIENT,
        device_code: '<device_code>',
      },
    },
    guides: ['guide/devices.md'],
  },
  SCOPE_INVALID: {
    causes: [
      'The request names a scope that the client, the agent or the user does not have.',
      'The scope has a typo or the wrong order: permissions are `<action>:<resource>`, such as `read:users`.',
      'The scope belongs to a resource, and the request does not name this resource.',
      'A refresh requests more scopes than the first login granted.',
    ],
    fixes: [
      'Read the detail: it can list the scopes that cannot be granted.',
      'Omit `scope` to get all scopes that the agent can have, and compare them.',
      'Add the scope to the client or agent, or send `resource` with the resource’s URI.',
    ],
    example: {
      request: TOKEN,
      form: {
        grant_type: 'client_credentials',
        client_id: AGENT,
        client_secret: '<api_key>',
        scope: 'users:read',
      },
      detail: 'These scopes cannot be granted: users:read.',
    },
    guides: ['guide/resources.md', 'guide/machine-tokens.md', 'guide/openid.md'],
  },
  TARGET_INVALID: {
    causes: [
      '`resource` or `audience` names a resource that the tenant does not have. The URI must match exactly, including a trailing slash.',
      'The login was for several resources, and the token request names none of them, or several. A token is for one resource.',
      'The login did not include this resource.',
      'The tenant uses the profile `fapi2`, and the resource uses RS256, which the profile does not allow.',
    ],
    fixes: [
      'List the resources with `GET /resources`, and send exactly one of their URIs as `resource`.',
      'Name all resources in the authorization request, and one resource in each token request.',
      'Ask the user again if a resource is missing from the first login.',
    ],
    example: {
      request: TOKEN,
      form: {
        grant_type: 'client_credentials',
        client_id: AGENT,
        client_secret: '<api_key>',
        resource: 'https://api.acme.example/',
      },
    },
    guides: ['guide/resources.md', 'guide/identity-assertions.md'],
  },
  AUTHORIZATION_DETAILS_INVALID: {
    causes: [
      '`authorization_details` is not a JSON list, or it is not encoded as a form parameter.',
      'The client is not registered for the type in `authorization_details_types`.',
      'A field of the type is missing, unknown, or has the wrong form.',
      'A token request contains details that differ from the ones that the user allowed. They must be identical.',
    ],
    fixes: [
      'Serialize the list with a JSON library, and percent-encode it.',
      'Compare it with `authorization_details_types` of the resource.',
      'In the token request, omit the parameter to get everything that the user allowed.',
    ],
    example: {
      request: 'POST /oauth/par',
      form: {
        client_id: CLIENT,
        redirect_uri: 'https://app.acme.example/callback',
        response_type: 'code',
        authorization_details: '{"type":"pay"}',
      },
      detail:
        'authorization_details cannot be granted: it is not a JSON list of 1 to 8 objects. RFC 9396.',
    },
    guides: ['guide/rich-authorization-requests.md', 'guide/fapi.md'],
  },
  DPOP_INVALID: {
    causes: [
      'The `DPoP` header is missing, and the client, the resource or the profile `fapi2` requires tokens that are bound to a key.',
      'The proof is for a different URL or method: `htu` must be the request’s URL without the query.',
      'The proof is older than 60 seconds, or the clocks differ.',
      'The proof was already used. Each request needs a new `jti`.',
    ],
    fixes: [
      'Create a proof for each request, immediately before sending it.',
      'Behind a proxy, use the public URL in `htu`, and set `KEYWRIGHT_BASE_URL` to it.',
      'Synchronize the client’s clock.',
    ],
    example: {
      request: TOKEN,
      form: { grant_type: 'client_credentials', client_id: AGENT, client_secret: '<api_key>' },
      headers: { DPoP: '<proof for another URL>' },
    },
    guides: ['guide/fapi.md', 'guide/openid.md', 'guide/verifying-tokens.md'],
  },
  DPOP_NONCE_REQUIRED: {
    causes: [
      'The tenant requires a nonce in each DPoP proof (`oauth_dpop_nonces`), and the proof has none. This happens on a client’s first request.',
      'The nonce in the proof is too old.',
    ],
    fixes: [
      'Copy the value of the response’s `DPoP-Nonce` header into the `nonce` claim of a new proof, and send the request again.',
      'Store the nonce from each response for the next request. Most DPoP libraries do this.',
    ],
    example: {
      request: TOKEN,
      form: { grant_type: 'client_credentials', client_id: AGENT, client_secret: '<api_key>' },
      headers: { DPoP: '<proof without a nonce>' },
    },
    guides: ['guide/fapi.md', 'guide/openid.md'],
  },
  EXCHANGE_REFUSED: {
    causes: [
      'The `subject_token` has expired, was revoked, or belongs to another tenant.',
      'This exchange does not accept this kind of token: an agent exchanges tokens from users’ own logins, and an application exchanges tokens that it received.',
      'The token is bound to a DPoP key, and the request has no valid proof of possession of that key.',
      'The delegation chain is too long: a token names at most three actors.',
    ],
    fixes: [
      'Check `exp`, `aud` and `client_id` of the subject token, and exchange it soon after you receive it.',
      'If the token contains `cnf`, send a DPoP proof with the request.',
      'Check the audit log for the reason, which the response does not disclose.',
    ],
    example: {
      request: TOKEN,
      form: {
        grant_type: EXCHANGE,
        client_id: AGENT,
        client_secret: '<api_key>',
        subject_token: '<expired token>',
        subject_token_type: ACCESS_TOKEN,
      },
    },
    guides: ['guide/token-exchange.md', 'guide/identity-assertions.md'],
  },
  DELEGATION_REQUIRED: {
    causes: [
      'An agent wants to act for a user who has not delegated to it, or whose delegation has expired or ended.',
      'The delegation’s ID belongs to another agent.',
    ],
    fixes: [
      'Let the user create a delegation on the account page, or with `POST /me/delegations`, which names the agent and the scopes.',
      'Ask for a new delegation before the old one expires: `expires_at` is in the record.',
      'Do not retry in a loop. Only the user can change the result.',
    ],
    example: {
      request: TOKEN,
      form: {
        grant_type: EXCHANGE,
        client_id: AGENT,
        client_secret: '<api_key>',
        subject_token: '<access token of the user>',
        subject_token_type: ACCESS_TOKEN,
      },
    },
    guides: ['guide/delegation.md', 'guide/token-exchange.md'],
  },
} as const satisfies ErrorPages;
