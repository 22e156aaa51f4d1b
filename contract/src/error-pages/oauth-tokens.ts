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
      '`redirect_uri` of the token request differs from the one of the authorization request, or `code_verifier` does not match `code_challenge`.',
      'A refresh token has expired, was revoked with its session, or was used after it had been replaced.',
      'The code or token belongs to another client, or is bound to another DPoP key.',
      'A JWT assertion has expired, is for another audience, or its issuer is not trusted.',
    ],
    fixes: [
      'Start the login again: codes and refresh tokens cannot be repaired.',
      'Exchange the code once, immediately, with the same `redirect_uri` and the verifier of this login. Reloading the callback page sends the code again.',
      'Look at the audit log of the tenant for the exact reason.',
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
    guides: ['guide/openid.md', 'guide/add-login.md', 'guide/machine-tokens.md'],
  },
  CLIENT_INVALID: {
    causes: [
      '`client_secret` is wrong, was deleted, or was cut when it was copied.',
      '`client_id` is unknown in this tenant, or the client is inactive. Agents have IDs such as `service:…`, applications such as `client_…`.',
      'The client authenticates in another way than `token_endpoint_auth_method` of its registration.',
      'A client assertion has expired, was used before, or its `aud` is not this service.',
      'The request names two different clients, in `Authorization: Basic` and in `client_id`.',
    ],
    fixes: [
      'Compare the method: a public client (`none`) sends no secret; others send it as registered.',
      'Create a second secret with `POST /clients/{client_id}/secrets`, deploy it, and delete the old one.',
      'Check the tenant of the URL or of `X-Tenant-ID`.',
    ],
    example: {
      request: TOKEN,
      form: { grant_type: 'client_credentials', client_id: AGENT, client_secret: 'wrong' },
    },
    guides: ['guide/machine-tokens.md', 'guide/add-login.md', 'guide/openid.md'],
  },
  CLIENT_UNAUTHORIZED: {
    causes: [
      'The client is not registered for this grant: `grant_types` lacks it, for example the device grant or `refresh_token`.',
      'A client requests tokens for itself with `client_credentials`, which is only for clients that receive shared signals. Services use an agent.',
      'The client shows its own login screens without being allowed to: `in_app_login` and `first_party`.',
      'A client revokes a token of another client.',
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
      'The user has not entered the code of the device, or has not confirmed the login yet. This is the normal response while a device waits.',
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
      'Measure the interval from the end of a request, and let one process poll.',
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
      'Do this only when the user is there, for example after a button press, so that devices do not request codes forever.',
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
      'The user declined the login of the device.',
      'The user is not able to allow it, for example because they are inactive or hold none of the requested scopes.',
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
      'Omit `scope` to get all scopes that the agent can have, and compare.',
      'Add the scope to the client or agent, or send `resource` with the URI of the resource.',
    ],
    example: {
      request: TOKEN,
      form: {
        grant_type: 'client_credentials',
        client_id: AGENT,
        client_secret: '<api_key>',
        scope: 'users:read',
      },
      detail:
        'Expected scopes of the form <action>:<resource>, separated by spaces. Scopes with other names need the resource that has them.',
    },
    guides: ['guide/resources.md', 'guide/machine-tokens.md', 'guide/openid.md'],
  },
  TARGET_INVALID: {
    causes: [
      '`resource` or `audience` names a resource that the tenant does not have. The URI must be equal, including a trailing slash.',
      'The login was for several resources, and the token request names none of them, or several. A token is for one resource.',
      'The login did not include this resource.',
      'Under the profile `fapi2`, the resource uses RS256, which the profile forbids.',
    ],
    fixes: [
      'List the resources with `GET /resources`, and send exactly one of their URIs as `resource`.',
      'Name all resources in the authorization request, and one in each token request.',
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
      'The client is not registered for the type: `authorization_details_types`.',
      'A field of the type is missing, unknown, or has the wrong form.',
      'A token request asks for details that differ from those that the user allowed. They must be equal.',
    ],
    fixes: [
      'Serialize the list with a JSON library, and percent-encode it.',
      'Compare it with `authorization_details_types` of the resource.',
      'In the token request, omit the parameter to get everything that the user allowed.',
    ],
    example: {
      request: 'POST /oauth/par',
      form: { client_id: CLIENT, response_type: 'code', authorization_details: '{"type":"pay"}' },
    },
    guides: ['guide/resources.md', 'guide/fapi.md'],
  },
  DPOP_INVALID: {
    causes: [
      'The header `DPoP` is missing, and the client, the resource or the profile `fapi2` requires tokens that are bound to a key.',
      'The proof is for another URL or method: `htu` must be the URL that the service is called at, without the query.',
      'The proof is older than 60 seconds, or the clocks differ.',
      'The proof was used before. Each request needs a new `jti`.',
    ],
    fixes: [
      'Create a proof for each request, immediately before sending it.',
      'Behind a proxy, use the public URL in `htu`, and set `KEYWRIGHT_BASE_URL` to it.',
      'Synchronize the clock of the client.',
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
      'The tenant requires a nonce in each DPoP proof (`oauth_dpop_nonces`), and the proof has none. This happens with the first request of a client.',
      'The nonce of the proof is too old.',
    ],
    fixes: [
      'Read the header `DPoP-Nonce` of the response, put its value into the claim `nonce` of a new proof, and send the request again.',
      'Keep the nonce of each response for the next request. Most DPoP libraries do this.',
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
      'The token is of a type that this exchange does not accept: an agent exchanges tokens of users from their own login, an application those that it received.',
      'The token is bound to a DPoP key that the caller cannot prove.',
      'The chain of delegation is full: a token names at most three actors.',
    ],
    fixes: [
      'Check `exp`, `aud` and `client_id` of the subject token, and exchange it soon after you receive it.',
      'Send the proof of the key with the request if the token has `cnf`.',
      'Look for the reason in the audit log: the response does not disclose it.',
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
      'The ID of the delegation belongs to another agent.',
    ],
    fixes: [
      'Let the user delegate with `POST /me/delegations`, naming the agent and the scopes, or on the account page.',
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
    guides: ['guide/token-exchange.md', 'guide/agents-and-api-keys.md'],
  },
} as const satisfies ErrorPages;
