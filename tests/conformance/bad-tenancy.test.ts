import { after, before, describe, test } from 'node:test';
import type { RequestOptions } from '../harness/http.ts';
import { type BadRequest, Target } from './target.ts';

const TENANT = 'POST /tenants';
const CHANGE = 'PATCH /tenants/org_default';
const WORKSPACE = 'POST /workspaces';
const WORKSPACE_CHANGE = 'PATCH /workspaces/ws_default';
const ROLE = 'POST /roles';
const IMPERSONATE = 'POST /auth/impersonate';
const INVALID = '400 VALIDATION_FAILED';

const HALF = '\ud800';
/** Characters that are not allowed in any visible field because the database cannot store them. */
const UNKEEPABLE = { NUL: 'a\0b', 'half a surrogate pair': `a${HALF}b` };

const tenant = (fields: object): RequestOptions => ({ body: { name: 'Bad', ...fields } });
const config = (fields: object): RequestOptions => ({ body: { config: fields } });
const branding = (fields: object): RequestOptions => ({ body: { branding: fields } });
const email = (fields: object): RequestOptions => ({ body: { messaging: { email: fields } } });
const sms = (fields: object): RequestOptions => ({ body: { messaging: { sms: fields } } });
const role = (fields: object): RequestOptions => ({ body: { name: 'bad', scopes: [], ...fields } });
const impersonation = (fields: object): RequestOptions => ({
  body: { tenant_id: 'org_default', reason: 'to see', ...fields },
});

const NAMES: readonly BadRequest[] = [
  ['none', TENANT, { body: { slug: 'bad' } }, INVALID, '/name'],
  ['an empty one', TENANT, tenant({ name: '' }), INVALID, '/name'],
  ['of 129 characters', TENANT, tenant({ name: 'x'.repeat(129) }), INVALID, '/name'],
  ['a number', TENANT, tenant({ name: 1 }), INVALID, '/name'],
  ['a new line', TENANT, tenant({ name: 'a\nb' }), INVALID, '/name'],
  ['no letter to make a slug of', TENANT, tenant({ name: '日本' }), INVALID, '/slug'],
  ['no letter for the slug of a workspace', WORKSPACE, { body: { name: '!' } }, INVALID, '/slug'],
  ['no name of a workspace', WORKSPACE, { body: {} }, INVALID, '/name'],
  ['no name of a role', ROLE, { body: { scopes: [] } }, INVALID, '/name'],
  ['a role in upper case', ROLE, role({ name: 'Bad' }), INVALID, '/name'],
  ['a role with a colon', ROLE, role({ name: 'a:b' }), INVALID, '/name'],
  ['a role of 65 characters', ROLE, role({ name: 'x'.repeat(65) }), INVALID, '/name'],
  ['a role with NUL', ROLE, role({ name: 'a\0' }), INVALID, '/name'],
  ['a role that is there', ROLE, role({ name: 'member' }), '400 ROLE_TAKEN'],
  ['a workspace that is there', WORKSPACE, { body: { name: 'Default' } }, '400 SLUG_TAKEN'],
  ['a tenant that is there', TENANT, tenant({ name: 'default' }), '400 SLUG_TAKEN'],
  ...Object.entries(UNKEEPABLE).flatMap(([what, text]): BadRequest[] => [
    [`${what}, of a tenant`, TENANT, tenant({ name: text }), INVALID, '/name'],
    [`${what}, of a changed tenant`, CHANGE, { body: { name: text } }, INVALID, '/name'],
    [`${what}, of a workspace`, WORKSPACE, { body: { name: text } }, INVALID, '/name'],
    [`${what}, of a changed one`, WORKSPACE_CHANGE, { body: { name: text } }, INVALID, '/name'],
    [`${what}, in a description`, ROLE, role({ description: text }), INVALID, '/description'],
    [`${what}, in a reason`, IMPERSONATE, impersonation({ reason: text }), INVALID, '/reason'],
  ]),
];

const SLUGS: readonly BadRequest[] = [
  '',
  'Bad',
  'a_b',
  'a b',
  'ä',
  'a\0',
  'org_bad',
  'x'.repeat(49),
].flatMap((slug): BadRequest[] => [
  [`${JSON.stringify(slug)} of a tenant`, TENANT, tenant({ slug }), INVALID, '/slug'],
  [`${JSON.stringify(slug)} of a workspace`, WORKSPACE, tenant({ slug }), INVALID, '/slug'],
]);

const DOMAINS: readonly BadRequest[] = [
  ...[
    ' ',
    'a b.example.com',
    'https://a.example.com',
    'a.example.com/x',
    'a@b.example.com',
    '*.example.com',
    'a..example.com',
    '127.1',
    'a\0.example.com',
    `a${HALF}.example.com`,
    '[',
    '[::1]x',
    '[a\0]',
    `[${HALF}]`,
    '[not an address]',
    `${'a'.repeat(64)}.example.com`,
    `${'a.'.repeat(127)}com`,
  ].flatMap((domain): BadRequest[] => [
    [JSON.stringify(domain), TENANT, tenant({ domains: [domain] }), INVALID, '/domains/0'],
    [`${JSON.stringify(domain)} in a change`, CHANGE, { body: { domains: [domain] } }, INVALID],
  ]),
  ['an empty one', TENANT, tenant({ domains: [''] }), INVALID, '/domains/0'],
  ['301 characters', TENANT, tenant({ domains: ['x'.repeat(301)] }), INVALID, '/domains/0'],
  ['65 of them', TENANT, tenant({ domains: Array(65).fill('a.example.com') }), INVALID, '/domains'],
  ['text for the list', TENANT, tenant({ domains: 'a.example.com' }), INVALID, '/domains'],
  ['one of another tenant', TENANT, tenant({ domains: ['LocalHost.:80'] }), '400 DOMAIN_TAKEN'],
];

const CLAIM_NAMES = ['', '1', 'a b', 'a\0', `a${HALF}`, 'ä', 'x'.repeat(65)];
const CLAIMS: Readonly<Record<string, unknown>> = {
  null: null,
  'an object': { a: 1 },
  'a list in a list': [[1]],
  'a list of objects': [{ metadata: '/a' }],
  'a pointer with another field': { metadata: '/a', b: 1 },
  'a pointer without a slash': { metadata: 'a' },
  'an empty pointer': { metadata: '' },
  'a pointer with NUL': { metadata: '/a\0' },
  'a pointer with half a surrogate pair': { metadata: `/a${HALF}` },
  'text of 513 characters': 'x'.repeat(513),
  'text with NUL': 'a\0',
  'text with half a surrogate pair': HALF,
  'a list with NUL': ['a\0'],
  '33 values': Array(33).fill(1),
};

const CONFIG: readonly BadRequest[] = [
  ['an unknown field', CHANGE, config({ admin: true }), INVALID, '/config/admin'],
  ['null', CHANGE, { body: { config: null } }, INVALID, '/config'],
  ['text for a boolean', CHANGE, config({ require_mfa: 'true' }), INVALID, '/config/require_mfa'],
  ['an unknown login method', CHANGE, config({ allowed_login_methods: ['sms'] }), INVALID],
  ['a method twice', CHANGE, config({ allowed_login_methods: ['oauth', 'oauth'] }), INVALID],
  ['passwords of 7', CHANGE, config({ password_min_length: 7 }), INVALID],
  ['tokens of 59 s', CHANGE, config({ session_timeout: 59 }), INVALID, '/config/session_timeout'],
  ['tokens of 60.5 s', CHANGE, config({ session_timeout: 60.5 }), INVALID],
  ['no attempts', CHANGE, config({ login_attempts_limit: 0 }), INVALID],
  ['an empty audience', CHANGE, config({ audience: '' }), INVALID],
  ['an audience with NUL', CHANGE, config({ audience: 'a\0' }), INVALID],
  ['an audience with half a surrogate pair', CHANGE, config({ audience: HALF }), INVALID],
  ...CLAIM_NAMES.map((name): BadRequest => [
    `a claim called ${JSON.stringify(name)}`,
    CHANGE,
    config({ custom_claims: { [name]: 1 } }),
    INVALID,
  ]),
  ...Object.entries(CLAIMS).map(([what, claim]): BadRequest => [
    `a claim that is ${what}`,
    CHANGE,
    config({ custom_claims: { plan: claim } }),
    INVALID,
  ]),
  [
    '33 claims',
    CHANGE,
    config({ custom_claims: manyClaims(33) }),
    INVALID,
    '/config/custom_claims',
  ],
  ...['sub', 'tenant_id', 'ver', 'act', 'cnf'].map((name): BadRequest => [
    `a claim called ${name}`,
    CHANGE,
    config({ custom_claims: { [name]: 1 } }),
    '400 CLAIM_RESERVED',
  ]),
];

function manyClaims(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`c${index}`, 1]));
}

const at = (field: string) => `/branding/${field}`;
const SETTINGS: readonly BadRequest[] = [
  ...['red', '#fff', '#12345g', '#1234567', '123456', '#12345\n', ''].map((color): BadRequest => [
    `the color ${JSON.stringify(color)}`,
    CHANGE,
    branding({ primary_color: color }),
    INVALID,
    at('primary_color'),
  ]),
  ...[
    'http://a.example.com/logo.png',
    'javascript:alert(1)',
    'https://',
    'https://a b.example.com',
    'https://a.example.com/\0',
    `https://a.example.com/${HALF}`,
  ].map((url): BadRequest => [
    `the logo ${JSON.stringify(url)}`,
    CHANGE,
    branding({ logo_url: url }),
    INVALID,
    at('logo_url'),
  ]),
  ...['unknown', 'a@b@c', 'a b@c', 'a\0@c', `${HALF}@c`].map((mailbox): BadRequest => [
    `the mailbox ${JSON.stringify(mailbox)}`,
    CHANGE,
    branding({ support_email: mailbox }),
    INVALID,
    at('support_email'),
  ]),
  ...Object.entries(UNKEEPABLE).flatMap(([what, text]): BadRequest[] => [
    [`${what} in a company`, CHANGE, branding({ company_name: text }), INVALID, at('company_name')],
    [`${what} in a provider`, CHANGE, sms({ provider: text }), INVALID, '/messaging/sms/provider'],
    [`${what} in an account`, CHANGE, sms({ account_sid: text }), INVALID],
    [`${what} in a user name`, CHANGE, email({ smtp_username: text }), INVALID],
    [`${what} in a mail host`, CHANGE, email({ smtp_host: text }), INVALID],
    [`${what} in a sender`, CHANGE, email({ from_address: `${text}@c` }), INVALID],
  ]),
  ['unknown branding', CHANGE, branding({ font: 'serif' }), INVALID, at('font')],
  ['unknown messaging', CHANGE, { body: { messaging: { fax: {} } } }, INVALID, '/messaging/fax'],
  ['an unknown field of e-mail', CHANGE, email({ to: 'a@b' }), INVALID, '/messaging/email/to'],
  ...[0, -1, 65_536, 25.5, '25'].map((port): BadRequest => [
    `the port ${JSON.stringify(port)}`,
    CHANGE,
    email({ smtp_port: port }),
    INVALID,
    '/messaging/email/smtp_port',
  ]),
  ...['', 'a b', 'a/b', 'http://a', 'x'.repeat(254)].map((host): BadRequest => [
    `the mail host ${JSON.stringify(host.slice(0, 20))}`,
    CHANGE,
    email({ smtp_host: host }),
    INVALID,
    '/messaging/email/smtp_host',
  ]),
  ['an empty mail password', CHANGE, email({ smtp_password: '' }), INVALID],
  ['1,025 characters for an SMS token', CHANGE, sms({ auth_token: 'x'.repeat(1025) }), INVALID],
];

const CHANGES: readonly BadRequest[] = [
  ['of nothing', CHANGE, { body: {} }, INVALID, ''],
  ['of an unknown field', CHANGE, { body: { admin: true } }, INVALID, '/admin'],
  ['of its id', CHANGE, { body: { id: 'org_other' } }, INVALID, '/id'],
  ['of its slug', CHANGE, { body: { slug: 'other' } }, INVALID, '/slug'],
  ...[
    'ftp://a.example.com',
    'https://',
    'https://a/',
    'https://a?b',
    'a',
    'https://a\0',
    `https://${HALF}`,
  ].map((issuer): BadRequest => [
    `of its issuer to ${JSON.stringify(issuer)}`,
    CHANGE,
    { body: { issuer } },
    INVALID,
  ]),
  [
    'to inactive, of the default one',
    CHANGE,
    { body: { is_active: false } },
    '400 DEFAULT_TENANT_PROTECTED',
  ],
  ['as a dry run of yes', `${CHANGE}?dry_run=yes`, { body: { name: 'a' } }, INVALID, '/dry_run'],
  ['of a workspace, of nothing', WORKSPACE_CHANGE, { body: {} }, INVALID, ''],
  ['of the slug of a workspace', WORKSPACE_CHANGE, { body: { slug: 'a' } }, INVALID, '/slug'],
  [
    'of a built-in role',
    'PATCH /roles/admin',
    { body: { scopes: [] } },
    '400 BUILTIN_ROLE_PROTECTED',
  ],
  ['of a role, of nothing', 'PATCH /roles/admin', { body: {} }, INVALID, ''],
  ['of the name of a role', 'PATCH /roles/admin', { body: { name: 'a' } }, INVALID, '/name'],
];

const SCOPES: readonly BadRequest[] = [
  ['no list', ROLE, { body: { name: 'bad' } }, INVALID, '/scopes'],
  ...['', 'read', 'read:', ':users', 'admin:users', 'read:Users', 'read:us*rs', 'read:a\0'].map(
    (scope): BadRequest => [
      JSON.stringify(scope),
      ROLE,
      role({ scopes: [scope] }),
      INVALID,
      '/scopes/0',
    ],
  ),
  ['one twice', ROLE, role({ scopes: ['read:users', 'read:users'] }), INVALID, '/scopes'],
  [
    '129 of them',
    ROLE,
    role({ scopes: Array.from({ length: 129 }, (_, n) => `read:a${n}`) }),
    INVALID,
  ],
];

const IMPERSONATIONS: readonly BadRequest[] = [
  ['without a reason', IMPERSONATE, { body: { tenant_id: 'org_default' } }, INVALID, '/reason'],
  [
    'with a reason of 2 characters',
    IMPERSONATE,
    impersonation({ reason: 'no' }),
    INVALID,
    '/reason',
  ],
  ['with a line of its own', IMPERSONATE, impersonation({ reason: 'ab\nc' }), INVALID, '/reason'],
  ['to no tenant', IMPERSONATE, impersonation({ tenant_id: 'default' }), INVALID, '/tenant_id'],
  [
    'to an unknown tenant',
    IMPERSONATE,
    impersonation({ tenant_id: 'org_nobody' }),
    '404 NOT_FOUND',
  ],
  ['with an unknown field', IMPERSONATE, impersonation({ scopes: ['*:*'] }), INVALID, '/scopes'],
];

const NOWHERE = [
  '%00',
  'a%00',
  '%ed%95%9c',
  'a%2fb',
  '..%2f..',
  'x'.repeat(2000),
  "'%20OR%20true--",
];
const PLACES: readonly (readonly [call: string, body?: object])[] = [
  ['GET /roles/{x}'],
  ['PATCH /roles/{x}', { description: 'a' }],
  ['DELETE /roles/{x}'],
  ['GET /workspaces/{x}'],
  ['PATCH /workspaces/{x}', { name: 'a' }],
  ['DELETE /workspaces/{x}?force=true'],
  ['GET /workspaces/{x}/members'],
  ['PUT /workspaces/{x}/members/{user}'],
  ['PUT /workspaces/ws_default/members/{x}'],
  ['DELETE /workspaces/{x}/members/{user}'],
  ['DELETE /workspaces/ws_default/members/{x}'],
  ['DELETE /keys/{x}'],
  ['GET /tenants/{x}'],
  ['PATCH /tenants/{x}', { name: 'a' }],
  ['DELETE /tenants/{x}'],
];

const PATHS: readonly BadRequest[] = PLACES.flatMap(([call, body]) =>
  NOWHERE.map((name): BadRequest => [
    `${call} with ${name.slice(0, 20)}`,
    call.replace('{x}', name),
    body ? { body } : {},
    '404 NOT_FOUND',
  ]),
);

const QUERIES: readonly BadRequest[] = [
  ...['/workspaces', '/roles', '/keys', '/tenants', '/workspaces/ws_default/members'].flatMap(
    (list): BadRequest[] => [
      [`limit 0 of ${list}`, `GET ${list}?limit=0`, {}, INVALID, '/limit'],
      [`page 0 of ${list}`, `GET ${list}?page=0`, {}, INVALID, '/page'],
      [`a cursor of ${list}`, `GET ${list}?cursor=garbage`, {}, INVALID, '/cursor'],
      [`an unknown field of ${list}`, `GET ${list}?admin=1`, {}, INVALID, '/admin'],
    ],
  ),
  ['a sort by name', 'GET /tenants?sort=name', {}, INVALID, '/sort'],
  ['force of 1', 'DELETE /roles/unknown?force=1', {}, INVALID, '/force'],
  ['immediately of yes', 'POST /keys/rotate?immediately=yes', {}, INVALID, '/immediately'],
  ['users of no tenant', 'GET /users?tenant_id=x', {}, INVALID, '/tenant_id'],
  ['users of an unknown tenant', 'GET /users?tenant_id=org_nobody', {}, '404 NOT_FOUND'],
];

const GROUPS = {
  name: NAMES,
  slug: SLUGS,
  domain: DOMAINS,
  configuration: CONFIG,
  setting: SETTINGS,
  change: CHANGES,
  scope: SCOPES,
  impersonation: IMPERSONATIONS,
  path: PATHS,
  query: QUERIES,
};

let target: Target;

before(async () => {
  target = await Target.start();
});

after(() => target.close());

describe('a bad request about tenants gets the documented error and changes nothing (SPEC errors body 1, SPEC errors status 1)', () => {
  for (const [group, requests] of Object.entries(GROUPS)) {
    for (const request of requests) {
      test(`${group}: ${request[0]}`, () => target.refuses(request));
    }
  }
});
