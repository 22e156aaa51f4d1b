import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RequestOptions } from '../harness/http.ts';
import { assertRefused } from './refusal.ts';
import { type BadRequest, EXISTING_IDENTIFIER, Target } from './target.ts';

const LOGIN = 'POST /auth/login';
const CREATE = 'POST /users';
const UPDATE = 'PATCH /users/{user}';
const ME = 'PATCH /me';
const KIB = 1024;
const LIMIT_BYTES = 16 * KIB;
const DEEP_LIST = '['.repeat(8000) + ']'.repeat(8000);
const DEEP_OBJECT = `${'{"a":'.repeat(2500)}1${'}'.repeat(2500)}`;

const manyFields = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, at]));
const utf8 = (...bytes: number[]): RequestOptions => ({
  rawBody: Buffer.concat([
    Buffer.from('{"identifier":"ada@example.com","secret":"pass'),
    Buffer.from(bytes),
    Buffer.from('word"}'),
  ]),
});

const CREDENTIALS = { identifier: 'ada@example.com', secret: 'engines of analysis' };
const USER = { identifier: 'ada@example.com', password: 'engines of analysis' };

const login = (fields: object): RequestOptions => ({ body: { ...CREDENTIALS, ...fields } });
const user = (fields: object): RequestOptions => ({ body: { ...USER, ...fields } });
const raw = (rawBody: string): RequestOptions => ({ rawBody });
const doubled = (fields: string) =>
  raw(`{"identifier":"ada@example.com","secret":"engines of analysis",${fields}}`);
const typed = (contentType: string | null): RequestOptions => ({ ...login({}), contentType });
const bodyOfSize = (bytes: number) =>
  raw(`{"secret":"${'x'.repeat(bytes - '{"secret":""}'.length)}"}`);
const identifier = (text: string) => ({ body: { identifiers: [{ identifier: text }] } });

const TOKEN = 'POST /auth/token';
const form = (rawBody: string | Buffer, parameters = ''): RequestOptions => ({
  rawBody,
  contentType: `application/x-www-form-urlencoded${parameters}`,
});

const FORMS: readonly BadRequest[] = [
  [
    'said to be Latin-1',
    TOKEN,
    form('grant_type=client_credentials', '; charset=ISO-8859-1'),
    '415 CONTENT_TYPE_UNSUPPORTED',
  ],
  ['of Latin-1', TOKEN, form(Buffer.from('grant_type=\xe4', 'latin1')), '400 REQUEST_MALFORMED'],
  ['of Latin-1, escaped', TOKEN, form('grant_type=%E4'), '400 REQUEST_MALFORMED'],
  ['with a surrogate', TOKEN, form('grant_type=%ED%A0%80'), '400 REQUEST_MALFORMED'],
  ['with an escape that is none', TOKEN, form('grant_type=%4'), '400 REQUEST_MALFORMED'],
  ['of 16 KiB and a byte', TOKEN, form(`a=${'b'.repeat(LIMIT_BYTES - 1)}`), '413 BODY_TOO_LARGE'],
  ['of 101 fields', TOKEN, form('a=1&'.repeat(100) + 'b=2'), '400 VALIDATION_FAILED'],
];

const BODIES: readonly BadRequest[] = [
  ['broken JSON', LOGIN, raw('{"identifier":'), '400 JSON_INVALID'],
  ['a comma too many', LOGIN, raw('{"identifier":"a",}'), '400 JSON_INVALID'],
  ['two values', LOGIN, raw('{}{}'), '400 JSON_INVALID'],
  ['an empty body', LOGIN, raw(''), '400 VALIDATION_FAILED', ''],
  ['null', LOGIN, raw('null'), '400 VALIDATION_FAILED', ''],
  ['a list', LOGIN, raw('[]'), '400 VALIDATION_FAILED', ''],
  ['text', LOGIN, raw('"x"'), '400 VALIDATION_FAILED', ''],
  ['no field', LOGIN, raw('{}'), '400 VALIDATION_FAILED', '/identifier', '/secret'],
  ['a change of nothing', UPDATE, raw('{}'), '400 VALIDATION_FAILED', ''],
  ['a number for text', LOGIN, login({ secret: 1 }), '400 VALIDATION_FAILED', '/secret'],
  ['text for a boolean', LOGIN, login({ register: 'y' }), '400 VALIDATION_FAILED', '/register'],
  ['16 KiB', LOGIN, bodyOfSize(LIMIT_BYTES), '400 VALIDATION_FAILED', '/identifier', '/secret'],
  ['16 KiB and a byte', LOGIN, bodyOfSize(LIMIT_BYTES + 1), '413 BODY_TOO_LARGE'],
  [
    '64 KiB, where metadata may be',
    UPDATE,
    bodyOfSize(64 * KIB),
    '400 VALIDATION_FAILED',
    '/secret',
  ],
  ['64 KiB and a byte there', UPDATE, bodyOfSize(64 * KIB + 1), '413 BODY_TOO_LARGE'],
  ['3 MiB', CREATE, bodyOfSize(3 * KIB * KIB), '413 BODY_TOO_LARGE'],
  ['a key twice', LOGIN, doubled('"secret":"another"'), '400 JSON_INVALID'],
  ['a key twice, once escaped', LOGIN, doubled('"s\\u0065cret":"another"'), '400 JSON_INVALID'],
  ['a key twice, further in', ME, raw('{"metadata":{"a":[{"b":1,"b":1}]}}'), '400 JSON_INVALID'],
  ['Latin-1', LOGIN, utf8(0xe4), '400 JSON_INVALID'],
  ['UTF-8 that is longer than it need be', LOGIN, utf8(0xc1, 0xa1), '400 JSON_INVALID'],
  ['a surrogate in UTF-8', LOGIN, utf8(0xed, 0xa0, 0x80), '400 JSON_INVALID'],
  ['half a character', LOGIN, utf8(0xe2, 0x82), '400 JSON_INVALID'],
  [
    'half a surrogate pair',
    LOGIN,
    login({ secret: 'a\ud800' }),
    '400 VALIDATION_FAILED',
    '/secret',
  ],
  ['the other half', CREATE, user({ password: '\udc00a' }), '400 VALIDATION_FAILED', '/password'],
  [
    'both halves the wrong way round',
    ME,
    { body: { password: '\udc00\ud800', current_password: 'a' } },
    '400 VALIDATION_FAILED',
    '/password',
  ],
];

const TYPES: readonly BadRequest[] = [
  ['text/plain', LOGIN, typed('text/plain'), '415 CONTENT_TYPE_UNSUPPORTED'],
  ['a form', LOGIN, typed('application/x-www-form-urlencoded'), '415 CONTENT_TYPE_UNSUPPORTED'],
  ['a name like JSON', LOGIN, typed('application/jsonx'), '415 CONTENT_TYPE_UNSUPPORTED'],
  ['Latin-1', LOGIN, typed('application/json; charset=iso-8859-1'), '415 CONTENT_TYPE_UNSUPPORTED'],
  ['UTF-16', LOGIN, typed('application/json;CHARSET="utf-16"'), '415 CONTENT_TYPE_UNSUPPORTED'],
  ['none', LOGIN, typed(null), '415 CONTENT_TYPE_UNSUPPORTED'],
];

const FIELDS: readonly BadRequest[] = [
  ['an unknown one', LOGIN, login({ admin: true }), '400 VALIDATION_FAILED', '/admin'],
  ['one of the record', CREATE, user({ is_active: true }), '400 VALIDATION_FAILED', '/is_active'],
  [
    'an unknown one further in',
    UPDATE,
    { body: { identifiers: [{ identifier: 'a@example.com', admin: true }] } },
    '400 VALIDATION_FAILED',
    '/identifiers/0/admin',
  ],
  ['toString', LOGIN, login({ toString: 1 }), '400 VALIDATION_FAILED', '/toString'],
  ['constructor', LOGIN, login({ constructor: 1 }), '400 VALIDATION_FAILED', '/constructor'],
  ['__proto__', LOGIN, raw('{"__proto__":{"register":true}}'), '400 JSON_INVALID'],
  ['__proto__, escaped', LOGIN, raw('{"\\u005f_proto__":{}}'), '400 JSON_INVALID'],
  ['__proto__ further in', ME, raw('{"user_metadata":{"a":{"__proto__":{}}}}'), '400 JSON_INVALID'],
  ['1,000 unknown ones', LOGIN, { body: manyFields(1000) }, '400 VALIDATION_FAILED'],
  ['100,000 unknown ones', LOGIN, { body: manyFields(100_000) }, '413 BODY_TOO_LARGE'],
  ['constructor.prototype', LOGIN, raw('{"constructor":{"prototype":{}}}'), '400 JSON_INVALID'],
  [
    'constructor.prototype further in',
    ME,
    raw('{"metadata":{"a":{"constructor":{"prototype":{}}}}}'),
    '400 JSON_INVALID',
  ],
];

const DEPTHS: readonly BadRequest[] = [
  ['lists', LOGIN, raw(DEEP_LIST), '400 VALIDATION_FAILED', ''],
  ['objects', LOGIN, raw(DEEP_OBJECT), '400 VALIDATION_FAILED', '/a'],
  ['lists for a secret', LOGIN, raw(`{"secret":${DEEP_LIST}}`), '400 VALIDATION_FAILED', '/secret'],
  [
    'lists as metadata',
    ME,
    raw(`{"user_metadata":{"a":${DEEP_LIST}}}`),
    '400 VALIDATION_FAILED',
    '/user_metadata',
  ],
  [
    'objects as metadata',
    UPDATE,
    raw(`{"metadata":${DEEP_OBJECT}}`),
    '400 VALIDATION_FAILED',
    '/metadata',
  ],
];

const CLASHES: readonly BadRequest[] = [
  ['a taken one', CREATE, user({ identifier: EXISTING_IDENTIFIER }), '400 IDENTIFIER_TAKEN'],
  ['in upper case', CREATE, user({ identifier: 'KNOWN@Example.com' }), '400 IDENTIFIER_TAKEN'],
  [
    'in wide letters',
    CREATE,
    user({ identifier: '\uFF4Bnown@example.com' }),
    '400 IDENTIFIER_TAKEN',
  ],
  ['a change to it', UPDATE, identifier('root@example.com'), '400 IDENTIFIER_TAKEN'],
];

const ROLES: readonly BadRequest[] = [
  ['an unknown one', CREATE, user({ roles: ['unknown'] }), '400 ROLE_UNKNOWN'],
  ['a known and an unknown one', CREATE, user({ roles: ['member', 'x'] }), '400 ROLE_UNKNOWN'],
  ['a change to an unknown one', UPDATE, { body: { roles: ['unknown'] } }, '400 ROLE_UNKNOWN'],
  ['a name with NUL', CREATE, user({ roles: ['a\0'] }), '400 VALIDATION_FAILED', '/roles/0'],
  ['one twice', CREATE, user({ roles: ['member', 'member'] }), '400 VALIDATION_FAILED', '/roles'],
];

const secrets = (length: number, answer: string): readonly BadRequest[] => {
  const secret = 'a'.repeat(length);
  const change = { body: { password: USER.password, current_password: secret } };
  return [
    [`${length}, to log in`, LOGIN, login({ secret }), answer],
    [`${length}, to register`, LOGIN, login({ secret, register: true }), answer],
    [`${length}, of a new user`, CREATE, user({ password: secret }), answer],
    [`${length}, to change`, ME, change, answer],
  ];
};

const GROUPS = {
  body: BODIES,
  'content type': TYPES,
  field: FIELDS,
  'thousands in each other': DEPTHS,
  'identifier of another user': CLASHES,
  role: ROLES,
};

let target: Target;

before(async () => {
  target = await Target.start();
});

after(() => target.close());

describe('a bad body gets the documented error and changes nothing (SPEC errors body 1, SPEC errors status 1, SPEC endpoints 2)', () => {
  for (const [group, requests] of Object.entries(GROUPS)) {
    for (const request of requests) {
      test(`${group}: ${request[0]}`, () => target.refuses(request));
    }
  }
});

describe('a bad form gets the documented error of OAuth', () => {
  for (const [title, call, options, expected] of FORMS) {
    test(title, async () => {
      const { status, body } = await target.send(call, options);
      assert.equal(`${status} ${String(body['code'])}`, expected);
      assert.equal(body['error'], 'invalid_request');
    });
  }
});

describe('an error names the conflict', () => {
  for (const [title, call, options, named] of [
    ['the role of a new user', CREATE, user({ roles: ['member', 'ghost', 'x'] }), /ghost, x\./],
    ['the role of a changed user', UPDATE, { body: { roles: ['ghost'] } }, /ghost\./],
    [
      'the domain of a new tenant',
      'POST /tenants',
      { body: { name: 'Bad', domains: ['localhost'] } },
      /: localhost\./,
    ],
    ['the slug of a tenant', 'POST /tenants', { body: { name: 'default' } }, /org_default/],
    ['the slug of a workspace', 'POST /workspaces', { body: { name: 'Default' } }, /ws_default/],
    ['a role', 'POST /roles', { body: { name: 'member', scopes: [] } }, /member/],
  ] as const) {
    test(title, async () => {
      const { status, body } = await target.send(call, options);
      assert.equal(status, 400);
      assert.match(String(body['detail']), named);
    });
  }

  test('An error about several domains names those of another tenant', async () => {
    const { id } = await target.keywright.tenant('domains');
    const body = { domains: ['free.example.com', 'localhost'] };
    for (const query of ['', '?dry_run=true']) {
      const answer = await target.send(`PATCH /tenants/${id}${query}`, { body });
      assertRefused(answer, '400 DOMAIN_TAKEN');
      assert.match(String(answer.body['detail']), /: localhost\.$/);
    }
  });
});

describe('a secret that is too long is rejected before any hashing', () => {
  for (const request of [
    ...secrets(15_000, '400 VALIDATION_FAILED'),
    ...secrets(1_000_000, '413 BODY_TOO_LARGE'),
  ]) {
    test(request[0], async () => {
      const { hashesComputed } = target;
      await target.refuses(request);
      assert.equal(target.hashesComputed, hashesComputed);
    });
  }
});

describe("a body above a route's limits is rejected before it is parsed", () => {
  const tooMuch: readonly BadRequest[] = [
    ['a million brackets', LOGIN, raw('['.repeat(1_000_000)), '413 BODY_TOO_LARGE'],
    ['a secret of 1 MB', LOGIN, login({ secret: 'a'.repeat(1_000_000) }), '413 BODY_TOO_LARGE'],
    ['16,000 brackets', LOGIN, raw('['.repeat(16_000)), '400 VALIDATION_FAILED', ''],
    [
      '30,000 values',
      UPDATE,
      raw(`{"metadata":{"a":[${'1,'.repeat(30_000)}1]}}`),
      '400 VALIDATION_FAILED',
      '',
    ],
    ['30,000 lists', UPDATE, raw(`[${'[]'.repeat(30_000)}]`), '400 VALIDATION_FAILED', ''],
  ];
  for (const request of tooMuch) {
    test(request[0], async (t) => {
      const { parse } = JSON;
      let characters = 0;
      const [, call, options, answer, ...at] = request;
      await target.keywright.adminToken();
      t.mock.method(JSON, 'parse', (text: string, ...more: []) => {
        characters += text.length;
        return parse(text, ...more);
      });
      assertRefused(await target.send(call, options), answer, at);
      assert.ok(characters < 1000, `${characters} characters were parsed, the answer among them`);
    });
  }
});
