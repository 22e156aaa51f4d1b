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
      'Read `errors`. Each entry has a JSON pointer to the field in `path`, and what the service expects there in `message`. A pointer such as `/identifiers/0/identifier` names the first element of a list.',
      'Correct all entries and send the request again. Nothing was changed. If there are many, the response lists the first 20.',
      'Compare the body with the schema of the route at `/reference` of your service.',
    ],
    example: {
      request: 'POST /users',
      body: { identifer: 'ada@example.com', password: 'correct horse battery' },
      errors: [
        { path: '/identifer', message: 'is not a known field. Did you mean "identifier"?' },
        { path: '/identifier', message: 'is required' },
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
      'The headers are larger than 16 KiB, usually because of large cookies of other applications on the same domain.',
      'The body ended early, or the request took longer than the service waits for it.',
      'A form contains bytes that are not UTF-8.',
    ],
    fixes: [
      'Look at the detail: it names the part of the request. Send the same request with `curl -v` to see what your client really sends.',
      'Check what proxies in between add. A proxy that appends a second `Authorization` or `Host` header causes this error.',
      'Encode URLs and forms with the functions of your language, such as `encodeURIComponent`.',
    ],
    example: {
      request: 'GET /users/%',
      headers: { Authorization: null },
    },
    guides: ['guide/operating.md'],
  },
  NOT_FOUND: {
    causes: [
      'No record has the ID in the path, or it was deleted.',
      'The record belongs to another tenant. The response is the same, so that it does not reveal what other tenants have.',
      'The ID is incomplete. IDs have a prefix, such as `user:` or `wh_`; the detail names the expected form.',
    ],
    fixes: [
      'Copy the ID from the response that created the record, or from the list of the collection.',
      'Check that `X-Tenant-ID`, or the host name of the request, names the tenant that has the record.',
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
      'Compare the path with the list of routes: `GET /openapi.json`, or the page `/reference` of your service.',
      'Check the variables that your code inserts into the path.',
      'If you meant the console, run `npm start`, which builds it.',
    ],
    example: { request: 'GET /user', headers: { Authorization: null } },
    guides: ['reference/routes.md'],
  },
  METHOD_NOT_ALLOWED: {
    causes: [
      'The path exists, but not with this method: for example `PUT` instead of `PATCH` for a change.',
      'A redirect turned a `POST` into a `GET`. Many clients do that after a 301 or 302, for example from http to https.',
    ],
    fixes: [
      'Use one of the methods in the detail, which the header `Allow` also lists.',
      'Call the service directly at its https URL, so that no redirect happens.',
      'Changes of a record are `PATCH` with only the fields that change. `PUT` is for values that the path names completely, such as a text or a member of a workspace.',
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
      'If a proxy returns 413 with another body, its own limit is smaller than that of the service. Raise it there, for example `client_max_body_size` in nginx.',
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
      'A route that takes a form, such as the token endpoint, got another type.',
    ],
    fixes: [
      "Add `-H 'Content-Type: application/json'` to curl, or use `--json`.",
      'In `fetch`, set the header explicitly: a string body is sent as `text/plain` otherwise.',
      'Send OAuth requests as `application/x-www-form-urlencoded`. The token endpoint also accepts JSON.',
    ],
    example: {
      request: 'POST /roles',
      body: { name: 'billing', scopes: ['read:users'] },
      headers: { 'Content-Type': 'text/plain' },
    },
    guides: ['reference/routes.md'],
  },
  IDEMPOTENCY_KEY_REUSED: {
    causes: [
      'Your code reused one `Idempotency-Key` for a different request: the same caller sent it to the same route with another body.',
      'A retry changed the body, for example because it contains a timestamp or a random value.',
      'The key is a constant or a counter that starts again with each process.',
    ],
    fixes: [
      'Create a new random key, such as a UUID, for each operation, and repeat it only when you retry exactly the same request.',
      'Serialize the body once and reuse those bytes for the retry.',
      'A key is valid for 24 hours. Within that time, a repeat returns the first response and changes nothing.',
    ],
    example: {
      request: 'POST /roles',
      body: { name: 'support', scopes: ['read:users'] },
      headers: { 'Idempotency-Key': 'create-role' },
    },
    guides: ['reference/routes.md', 'guide/sdk.md'],
  },
  EVENT_UNKNOWN: {
    causes: [
      'The event that `after` or `cursor` names is older than 30 days. The service keeps events for 30 days.',
      'The ID has a typo, or it is the ID of something else. IDs of events start with `evt_`.',
      'A stream was resumed with a `Last-Event-ID` from another tenant or another installation.',
    ],
    fixes: [
      'Omit `after` to read from the oldest event that the service still has, then reconcile your copy with the API: your reader has missed events.',
      'Store the ID of the last event that you processed, per tenant, and send exactly this ID.',
      'Read more often than every 30 days, or use a webhook.',
    ],
    example: { request: 'GET /events?after=evt_01m00000000000000000000000' },
    guides: ['guide/events.md', 'guide/webhooks.md'],
  },
  TOO_MANY_ATTEMPTS: {
    causes: [
      'Too many passwords, codes or client credentials were tried for one identifier, user or client. By default, an identifier has 10 attempts in 300 seconds: `login_attempts_limit` and `login_attempts_window`.',
      'Too many requests came from one IP address. Behind a proxy that the service does not trust, all users share the IP address of the proxy.',
      'A script, a load test or a misconfigured client retries without a pause.',
    ],
    fixes: [
      'Wait for the number of seconds in `Retry-After`. `RateLimit-Policy` names the limits that the request counts against.',
      'Set `KEYWRIGHT_TRUSTED_PROXIES` to the IP addresses of your proxies, so that the service sees the IP addresses of your users.',
      'For tests, raise the limits of the test tenant instead of disabling them everywhere.',
    ],
    example: {
      request: 'POST /auth/login',
      body: { identifier: 'ada@example.com', secret: 'guess 11' },
    },
    guides: ['guide/sessions.md', 'guide/operating.md'],
  },
  TOO_BUSY: {
    causes: [
      'Many passwords are being verified at the same time. A password hash costs CPU time and memory on purpose, so the service limits how many run at the same time and how many wait.',
      'An attacker is guessing passwords, or a load test logs in with passwords.',
      'The machine has fewer cores than the number of logins requires.',
    ],
    fixes: [
      'Retry after the number of seconds in `Retry-After`. The SDK retries automatically.',
      'Log in once and refresh the session instead of sending the password again. Services use API keys or client credentials.',
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
      'Clients in your network have many requests in transit whose bodies are not complete, and together the process holds more than 64 MiB of them. The service aborts those of the network that sends the most.',
      'Clients upload over slow connections, or stop in the middle of a body.',
    ],
    fixes: [
      'Retry after the number of seconds in `Retry-After`, with fewer requests at the same time.',
      'Let your reverse proxy buffer request bodies, which nginx does by default, so that slow clients do not reach the service.',
      'If all requests come from one proxy, set `KEYWRIGHT_TRUSTED_PROXIES`, so that the service sees the networks of your users.',
    ],
    example: { request: 'POST /users/import', body: '@users.json' },
    guides: ['guide/operating.md', 'guide/growing.md'],
  },
  INTERNAL: {
    causes: [
      'The service has met a condition that its code does not expect. This is an error of the service, not of your request.',
      'Something that the service depends on failed in an unexpected way: for example, a stored key cannot be decrypted, or a file cannot be read.',
    ],
    fixes: [
      'Find the log entry: its `reqId` equals the header `x-request-id` of the response. It has the cause, which the response does not disclose.',
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
      'The request would exceed the number of open streams of a node, a tenant or an IP address: `KEYWRIGHT_STATUS_STREAMS` and `KEYWRIGHT_STATUS_STREAMS_PER_ADDRESS`.',
    ],
    fixes: [
      'Retry after the number of seconds in `Retry-After`. A request that changes data can be repeated safely with an `Idempotency-Key`.',
      'As an operator, look at `GET /health` and the log, and check that PostgreSQL runs and has free connections.',
      'Open one stream per process, not one per user or per request.',
    ],
    example: { request: 'GET /status/stream', headers: { Authorization: null } },
    guides: ['guide/observability.md', 'guide/postgresql.md', 'guide/revocation.md'],
  },
} as const satisfies ErrorPages;
