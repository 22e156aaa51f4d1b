import type { ErrorPages } from './page.ts';

/** Errors that depend on the form, the size or the number of requests. */
export const REQUEST_PAGES = {
  VALIDATION_FAILED: {
    causes: [
      'A field of the body, a query parameter or a part of the path has a value that the route does not accept.',
      'A required field is missing, or a field has an unknown name. The response suggests the name that you probably meant.',
      'The value has the right form, but a rule of the tenant rejects it: for example, a password is shorter than `password_min_length`.',
    ],
    fixes: [
      'Read `errors`. In each entry, `path` is a JSON pointer to the field, and `message` describes what the service expects there. A pointer such as `/identifiers/0/identifier` names the first element of a list.',
      'Correct all entries and send the request again. Nothing was changed. If there are many, the response lists the first 20.',
      'Compare the body with the route’s schema, which your service shows at `/reference`.',
    ],
    example: {
      request: 'POST /users',
      body: { identifer: 'ada@example.com', password: 'correct horse battery' },
      errors: [
        { path: '/identifier', message: 'is required' },
        { path: '/identifer', message: 'is not a known field. Did you mean "identifier"?' },
      ],
    },
    guides: ['reference/routes.md'],
  },
  JSON_INVALID: {
    causes: [
      'The body has a syntax error: a missing quotation mark, a trailing comma, or single quotes around names. The detail names the line and the column.',
      'The shell changed the body before it was sent. Inside double quotes, a shell expands `$` and removes the inner quotation marks.',
      'The body is empty, is not valid UTF-8, or contains the same key twice in one object.',
    ],
    fixes: [
      'Correct the body at the line and column in the detail.',
      'In a shell, put the body in single quotes, or send it from a file with `--data @body.json`.',
      'Build the body with a JSON library instead of string concatenation.',
    ],
    example: {
      request: 'POST /roles',
      body: "{'name': 'billing'}",
      detail: 'The body is not valid JSON: unexpected character in line 1, column 2.',
    },
    guides: ['reference/routes.md'],
  },
  REQUEST_MALFORMED: {
    causes: [
      'The request is not valid HTTP: it has no `Host` header or two of them, more than one `Authorization` header, or a URL that cannot be decoded.',
      'The headers are larger than 16 KiB, usually because of large cookies from other applications on the same domain.',
      'The body ended early, or the request took longer than the service waits for it.',
      'A form contains bytes that are not UTF-8.',
    ],
    fixes: [
      'Read the detail, which names the invalid part of the request. Send the same request with `curl -v` to see what is actually sent.',
      'Check what the proxies in between add. A proxy that appends a second `Authorization` or `Host` header causes this error.',
      'Encode URLs and forms with your language’s functions, such as `encodeURIComponent`.',
    ],
    example: {
      request: 'GET /users/%',
      headers: { Authorization: null },
    },
    guides: ['guide/proxy.md'],
  },
  NOT_FOUND: {
    causes: [
      'No record has the ID in the path, or it was deleted.',
      'The record belongs to another tenant. The response is the same, so that it does not reveal what other tenants have.',
      'The ID is incomplete. IDs have a prefix, such as `user:` or `wh_`; the detail names the expected form.',
    ],
    fixes: [
      'Copy the ID from the response that created the record, or from a list response.',
      'Check that `X-Tenant-ID`, or the host name of the request, names the tenant that the record belongs to.',
      'Percent-encode the ID if your HTTP library requires it: `user:01m7…` can be sent as `user%3A01m7…`.',
    ],
    example: {
      request: 'GET /users/user:01m7z2d5jfe9zr0j4dgg8m5yx4',
    },
    guides: ['guide/tenants.md', 'reference/routes.md'],
  },
  ROUTE_NOT_FOUND: {
    causes: [
      'The path has a typo, or it lacks the prefix `/api/sso/v1`.',
      'A variable in the path was empty, so that the path ends in a slash: `/users/` instead of `/users/user:01m7…`.',
      'The URL belongs to a part of the service that is not available, such as the console of a clone that was not built, or `/dev/messages` in production.',
    ],
    fixes: [
      'Compare the path with the list of routes: `GET /openapi.json`, or your service’s page `/reference`.',
      'Check the variables that your code inserts into the path.',
      'If you want to open the console, run `npm start`, which builds it.',
    ],
    example: { request: 'GET /user', headers: { Authorization: null } },
    guides: ['reference/routes.md'],
  },
  METHOD_NOT_ALLOWED: {
    causes: [
      'The path exists, but not with this method: for example `PUT` instead of `PATCH` for a change.',
      'A redirect turned a `POST` into a `GET`. Many clients do this after a 301 or 302, for example from http to https.',
    ],
    fixes: [
      'Use one of the methods in the detail, which the header `Allow` also lists.',
      'Call the service directly at its https URL to avoid redirects.',
      'To change a record, send `PATCH` with only the changed fields. `PUT` is for values that the path fully identifies, such as a text or a workspace member.',
    ],
    example: {
      request: 'PUT /users/user:01m7z2d5jfe9zr0j4dgg8m5yx4',
      body: {},
      detail: 'This path does not support PUT. It supports: GET, HEAD, PATCH, DELETE.',
    },
    guides: ['reference/routes.md'],
  },
  BODY_TOO_LARGE: {
    causes: [
      'The body exceeds the limit of the route: 16 KiB for most routes, 64 KiB for most `PATCH` requests.',
      'An import or an upload was sent in one piece. Routes for logos and imports have larger limits, which the detail names.',
    ],
    fixes: [
      'Send less: split an import into several requests, and store large data in your own database instead of `metadata`.',
      'Reduce the size of a logo before you upload it.',
      'If a proxy returns 413 with another body, the proxy’s limit is smaller than the service’s. Raise the proxy’s limit, for example `client_max_body_size` in nginx.',
    ],
    example: {
      request: 'POST /roles',
      body: '@role-with-20-KiB-of-text.json',
      detail: 'The body is larger than 16 KiB.',
    },
    guides: ['migrate/index.md', 'guide/branding.md'],
  },
  CONTENT_TYPE_UNSUPPORTED: {
    causes: [
      'The request has a body without `Content-Type: application/json`. `curl -d` sends `application/x-www-form-urlencoded` unless you set the header.',
      'The header names a charset other than UTF-8.',
      'A route that expects a form, such as the token endpoint, received another type.',
      '`POST /users/import` received JSON. It accepts only JSON lines: one user per line, as `application/x-ndjson`.',
    ],
    fixes: [
      "Add `-H 'Content-Type: application/json'` to curl, or use `--json`.",
      'In `fetch`, set the header explicitly: a string body is sent as `text/plain` otherwise.',
      'Send OAuth requests as `application/x-www-form-urlencoded`. The token endpoint also accepts JSON.',
      "Send imports with `-H 'Content-Type: application/x-ndjson' --data-binary @users.ndjson`.",
    ],
    example: {
      request: 'POST /roles',
      body: { name: 'billing', scopes: ['read:users'] },
      headers: { 'Content-Type': 'text/plain' },
      detail: 'The body must be sent as application/json.',
    },
    guides: ['reference/routes.md'],
  },
  IDEMPOTENCY_KEY_REUSED: {
    causes: [
      'Your code reused one `Idempotency-Key` for a different request: the same caller sent it to the same route with another body.',
      'A retry changed the body, for example because it contains a timestamp or a random value.',
      'The key is a constant, or a counter that restarts with each process.',
    ],
    fixes: [
      'Create a new random key, such as a UUID, for each operation, and reuse it only to retry exactly the same request.',
      'Serialize the body once and reuse those bytes for the retry.',
      'A key is valid for 24 hours. Within that time, a repeated request returns the first response and changes nothing.',
    ],
    example: {
      request: 'POST /roles',
      body: { name: 'support', scopes: ['read:users'] },
      headers: { 'Idempotency-Key': 'create-role' },
    },
    guides: ['reference/routes.md', 'guide/sdk-client.md'],
  },
  EVENT_UNKNOWN: {
    causes: [
      'The event that `after` or `cursor` names is older than 30 days. The service keeps events for 30 days.',
      'The ID has a typo, or it is the ID of something else. Event IDs start with `evt_`.',
      'A stream was resumed with a `Last-Event-ID` from another tenant or another installation.',
    ],
    fixes: [
      'Omit `after` to read from the oldest event that the service still has, then reconcile your copy with the API: your reader has missed events.',
      'Store the ID of the last event that you processed, per tenant, and send exactly that ID.',
      'Read events more often than every 30 days, or use a webhook.',
    ],
    example: { request: 'GET /events?after=evt_01m00000000000000000000000' },
    guides: ['guide/events.md', 'guide/webhooks.md'],
  },
  TOO_MANY_ATTEMPTS: {
    causes: [
      'Too many passwords, codes or client credentials were tried for one identifier, user or client. By default, an identifier has 10 attempts in 300 seconds: `login_attempts_limit` and `login_attempts_window`.',
      'Too many requests came from one IP address. Behind a proxy that the service does not trust, all users share the proxy’s IP address.',
      'A script, a load test or a misconfigured client retries without a pause.',
    ],
    fixes: [
      'Wait for the number of seconds in `Retry-After`. `RateLimit-Policy` lists the limits that apply to the request.',
      'Set `KEYWRIGHT_TRUSTED_PROXIES` to your proxies’ IP addresses, so that the service sees your users’ IP addresses.',
      'For tests, raise the limits in the test tenant instead of disabling them everywhere.',
    ],
    example: {
      request: 'POST /auth/login',
      body: { identifier: 'ada@example.com', secret: 'guess 11' },
    },
    guides: ['guide/sessions.md', 'guide/proxy.md'],
  },
  TOO_BUSY: {
    causes: [
      'Many passwords are being verified at the same time. Password hashing is deliberately expensive in CPU time and memory, so the service limits how many run at the same time and how many wait.',
      'An attacker is guessing passwords, or a load test signs in with passwords.',
      'The machine does not have enough cores for the number of logins.',
    ],
    fixes: [
      'Retry after the number of seconds in `Retry-After`. The SDK retries automatically.',
      'Sign in once, and refresh the session instead of sending the password again. For services, use API keys or client credentials.',
      'Add cores or nodes if the error persists under normal use.',
    ],
    example: {
      request: 'POST /auth/login',
      body: { identifier: 'ada@example.com', secret: 'correct horse battery' },
    },
    guides: ['guide/growing.md', 'guide/sessions.md'],
  },
  TOO_MANY_INCOMPLETE_REQUESTS: {
    causes: [
      'Incomplete request bodies from all clients take up more than 64 MiB in the process. The service aborts requests from the network that sends the most, which is yours.',
      'Clients upload over slow connections, or stop in the middle of a body.',
    ],
    fixes: [
      'Retry after the number of seconds in `Retry-After`, with fewer requests at the same time.',
      'Let your reverse proxy buffer request bodies, which nginx does by default, so that slow clients do not reach the service.',
      'If all requests come from one proxy, set `KEYWRIGHT_TRUSTED_PROXIES`, so that the service sees your users’ networks.',
    ],
    example: { request: 'POST /users/import', body: '@users.ndjson' },
    guides: ['guide/proxy.md', 'guide/growing.md'],
  },
  INTERNAL: {
    causes: [
      'The service encountered an unexpected condition. The error is in the service, not in your request.',
      'Something that the service depends on failed in an unexpected way: for example, a stored key cannot be decrypted, or a file cannot be read.',
    ],
    fixes: [
      'Find the log entry whose `reqId` equals the response’s `x-request-id` header. It contains the cause, which the response does not disclose.',
      'Run `keywright doctor`, which checks the database, the keys and the settings.',
      'Report the log entry as a bug if `doctor` finds no problem. Retrying can help, but does not remove the cause.',
    ],
    example: { request: 'GET /me' },
    guides: ['guide/observability.md', 'guide/operating.md'],
  },
  UNAVAILABLE: {
    causes: [
      'The database does not respond, or all of its connections are in use.',
      'The node is shutting down or starting.',
      'The request would exceed the maximum number of open streams for a node, a tenant or an IP address: `KEYWRIGHT_STATUS_STREAMS` and `KEYWRIGHT_STATUS_STREAMS_PER_ADDRESS`.',
    ],
    fixes: [
      'Retry after the number of seconds in `Retry-After`. A request that changes data can be repeated safely with an `Idempotency-Key`.',
      'As an operator, check `GET /health` and the log, and make sure that PostgreSQL is running and has free connections.',
      'Open one stream per process, not one per user or per request.',
    ],
    example: { request: 'GET /status/stream', headers: { Authorization: null } },
    guides: ['guide/observability.md', 'guide/postgresql.md', 'guide/revocation.md'],
  },
} as const satisfies ErrorPages;
