// The claims of the JWTs that have no schema in the contract.

/** Name, type, meaning, presence and source. An empty presence: always. */
export type ClaimRow = readonly [
  name: string,
  type: string,
  meaning: string,
  present: string,
  source: string,
];

const ISS = ['iss', 'string', 'The issuer: the tenant.', '', 'RFC 7519 §4.1.1'] as const;
const JTI = ['jti', 'string', 'The ID of the token.', '', 'RFC 7519 §4.1.7'] as const;
const IAT = [
  'iat',
  'integer',
  'When the token was issued, in seconds since the epoch.',
  '',
  'RFC 7519 §4.1.6',
] as const;
const EXP = [
  'exp',
  'integer',
  'When the token expires, in seconds since the epoch.',
  '',
  'RFC 7519 §4.1.4',
] as const;
const AUD_CLIENT = ['aud', 'string', 'ID of the application.', '', 'RFC 7519 §4.1.3'] as const;
const SUB = [
  'sub',
  'string',
  'The user: `user:<id>`, or a subject that only this application sees, if its `subject_type` is `pairwise`.',
  '',
  'OpenID Connect Core §2, §8',
] as const;
const CNF = [
  'cnf',
  'object',
  'The key that the token is bound to: `jkt` is its SHA-256 thumbprint.',
  'if the client presented a DPoP proof',
  'RFC 9449 §6.1',
] as const;
const TENANT = ['tenant_id', 'string', 'ID of the tenant: `org_<slug>`.', '', 'Keywright'] as const;

/** The claims about the login of a user. */
const LOGIN: readonly ClaimRow[] = [
  [
    'auth_time',
    'integer',
    'When the user authenticated, in seconds since the epoch.',
    '',
    'OpenID Connect Core §2',
  ],
  [
    'acr',
    'string',
    'Assurance of the authentication: `aal1`, `aal2` or `phr`.',
    '',
    'OpenID Connect Core §2',
  ],
  ['amr', 'array of strings', 'Authentication methods of the user.', '', 'RFC 8176'],
];

export const ID_TOKEN: readonly ClaimRow[] = [
  ISS,
  SUB,
  AUD_CLIENT,
  IAT,
  EXP,
  ...LOGIN,
  [
    'nonce',
    'string',
    'The `nonce` of the authorization request.',
    'if the request had one; not after a refresh',
    'OpenID Connect Core §2',
  ],
  [
    'sid',
    'string',
    'ID of the session, which logout tokens contain.',
    '',
    'OpenID Connect Front-Channel Logout §3',
  ],
  [
    'at_hash',
    'string',
    'Hash of the access token in the same response.',
    '',
    'OpenID Connect Core §3.1.3.6',
  ],
];

export const REFRESH_TOKEN: readonly ClaimRow[] = [
  JTI,
  ['token_type', 'string', 'Always `refresh`.', '', 'Keywright'],
  ISS,
  ['sub', 'string', 'The user: `user:<id>`.', '', 'RFC 7519 §4.1.2'],
  ['aud', 'string', 'The issuer: only the service accepts the token.', '', 'RFC 7519 §4.1.3'],
  IAT,
  EXP,
  TENANT,
  ['sid', 'string', 'ID of the session: `session:<id>`.', '', 'Keywright'],
  [
    'session_exp',
    'integer',
    'When the session ends, regardless of refreshes, in seconds since the epoch.',
    '',
    'Keywright',
  ],
];

export const LOGOUT_TOKEN: readonly ClaimRow[] = [
  ISS,
  SUB,
  AUD_CLIENT,
  IAT,
  EXP,
  JTI,
  [
    'sid',
    'string',
    'The session that ended: the `sid` of its ID tokens.',
    '',
    'OpenID Connect Back-Channel Logout §2.4',
  ],
  [
    'events',
    'object',
    'One member with an empty object: `http://schemas.openid.net/event/backchannel-logout`.',
    '',
    'OpenID Connect Back-Channel Logout §2.4',
  ],
];

export const SECURITY_EVENT: readonly ClaimRow[] = [
  ISS,
  AUD_CLIENT,
  JTI,
  ['iat', 'integer', 'When the event occurred, in seconds since the epoch.', '', 'RFC 8417 §2.2'],
  ['txn', 'string', 'The same for all events with the same cause.', '', 'RFC 8417 §2.2'],
  [
    'sub_id',
    'object',
    'The subject: a user (`iss_sub`), a session of a user (`complex`), or the stream (`opaque`).',
    '',
    'RFC 9493 §3',
  ],
  [
    'events',
    'object',
    'One member: the URI of the event, with its data and `reason_admin`.',
    '',
    'RFC 8417 §2.2',
  ],
];

export const STATUS_LIST: readonly ClaimRow[] = [
  ['sub', 'string', 'URI of the list.', '', 'draft-ietf-oauth-status-list §5.1'],
  ISS,
  IAT,
  EXP,
  [
    'ttl',
    'integer',
    'How long a verifier can use the list before it polls again, in seconds.',
    '',
    'draft-ietf-oauth-status-list §5.1',
  ],
  ['version', 'integer', 'The position of the list in the stream of changes.', '', 'Keywright'],
  [
    'status_list',
    'object',
    '`bits`: always 1. `lst`: the compressed list, in base64url.',
    '',
    'draft-ietf-oauth-status-list §4.2',
  ],
];

export const STATUS_CHANGE: readonly ClaimRow[] = [
  ISS,
  IAT,
  ['version', 'integer', 'The version after the change.', 'in `status` and `reset`', 'Keywright'],
  ['from', 'integer', 'The version before the change.', 'in `status`', 'Keywright'],
  [
    'revoked',
    'object',
    'The bits that were set, by the number of their list.',
    'in `status`, if bits were set',
    'Keywright',
  ],
  ['reset', 'boolean', 'Always `true`: fetch the lists again.', 'in `reset`', 'Keywright'],
  [
    'closed',
    'boolean',
    'Always `true`: all tokens of the issuer are invalid.',
    'in `closed`',
    'Keywright',
  ],
];

export const IDENTITY_ASSERTION: readonly ClaimRow[] = [
  ISS,
  ['sub', 'string', 'The user: `user:<id>`.', '', 'RFC 7519 §4.1.2'],
  [
    'aud',
    'string',
    'Issuer of the other authorization server.',
    '',
    'draft-ietf-oauth-identity-assertion-authz-grant',
  ],
  [
    'client_id',
    'string',
    'The application, as the other authorization server knows it.',
    '',
    'draft-ietf-oauth-identity-assertion-authz-grant',
  ],
  JTI,
  IAT,
  EXP,
  ...LOGIN,
  [
    'resource',
    'string or array of strings',
    'The requested resource.',
    'if requested',
    'RFC 8707 §2',
  ],
  ['scope', 'string', 'The requested scopes, joined by spaces.', 'if requested', 'RFC 8693 §4.2'],
  [
    'email',
    'string',
    'A verified email address of the user.',
    'if the application was granted `email`',
    'OpenID Connect Core §5.1',
  ],
  ['email_verified', 'boolean', 'Always `true`.', 'with `email`', 'OpenID Connect Core §5.1'],
  CNF,
];

export const INTROSPECTION: readonly ClaimRow[] = [
  ISS,
  ['aud', 'string', 'The agent or application that introspected the token.', '', 'RFC 9701 §5'],
  IAT,
  ['token_introspection', 'object', 'The introspection response.', '', 'RFC 9701 §5'],
];

/** Sources and presence of the claims of access tokens, which the contract describes. */
export const ACCESS_TOKEN: Readonly<Record<string, readonly [present: string, source: string]>> = {
  jti: ['', 'RFC 9068 §2.2'],
  token_type: ['', 'Keywright'],
  iss: ['', 'RFC 9068 §2.2'],
  sub: ['', 'RFC 9068 §2.2'],
  aud: ['', 'RFC 9068 §2.2, §3'],
  iat: ['', 'RFC 9068 §2.2'],
  exp: ['', 'RFC 9068 §2.2'],
  tenant_id: ['', 'Keywright'],
  workspace_id: ['', 'Keywright'],
  roles: ['', 'Keywright'],
  scopes: ['', 'Keywright'],
  scope: ['', 'RFC 9068 §2.2.3'],
  sid: ['if the token belongs to a session', 'Keywright'],
  client_id: ['', 'RFC 9068 §2.2'],
  key_id: ['if an agent authenticated with an API key', 'Keywright'],
  auth_time: [
    'if the user authenticated for it: not in tokens of agents, or of delegates of absent users',
    'RFC 9068 §2.2.1',
  ],
  acr: [
    'if the user authenticated for it: not in tokens of agents, or of delegates of absent users',
    'RFC 9068 §2.2.1',
  ],
  amr: [
    'if the user authenticated for it: not in tokens of agents, or of delegates of absent users',
    'RFC 9068 §2.2.1',
  ],
  ver: ['', 'Keywright'],
  act: ['if the subject is impersonated, or an agent or a service acts for it', 'RFC 8693 §4.1'],
  cnf: ['if the client presented a DPoP proof', 'RFC 9449 §6.1'],
  authorization_details: ['if the user allowed details for the resource', 'RFC 9396 §9.1'],
  status: ['', 'draft-ietf-oauth-status-list §6'],
};
