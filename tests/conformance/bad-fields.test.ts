import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { expectStatus } from '../harness/http.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { assertRefused } from './refusal.ts';
import { Target } from './target.ts';

const IDENTIFIERS = {
  'a control character': 'a\x07b@example.com',
  NUL: 'a\0@example.com',
  'a new line': 'ada\n@example.com',
  'a new line at the end': 'ada@example.com\n',
  'a space': 'a da@example.com',
  'a tabulator': 'ada@exam\tple.com',
  'a mark that turns the writing around': 'ada\u202e@example.com',
  'a space of no width': 'a\u200bda@example.com',
  'U+FF20, which looks like @': 'ada\uFF20example.com',
  'U+FE6B, which looks like @': 'ada\uFE6Bexample.com',
  'a look-alike in addition to an @': 'ada\uFF20evil@example.com',
  'two @': 'ada@evil@example.com',
  'no @': 'ada.example.com',
  'nothing before the @': '@example.com',
  'nothing after the @': 'ada@',
  'a quoted local part': '"ada lovelace"@example.com',
  'a comment': 'ada(countess)@example.com',
  'an address in brackets': 'ada@[127.0.0.1]',
  'a local part of 65 characters': `${'a'.repeat(65)}@example.com`,
  'a domain label of 64 characters': `ada@${'a'.repeat(64)}.com`,
  '255 characters': `ada@${'a.'.repeat(124)}com`,
  'a dot at the start': '.ada@example.com',
  'two dots': 'ada..b@example.com',
  'half a surrogate pair': 'ada\ud800@example.com',
  'a phone number without +': '4915112345678',
  'a phone number with a space': '+49 15112345678',
  'a phone number in other digits': '+\u0664\u0669\u0661\u0665\u0661\u0661\u0662\u0663\u0664\u0665',
};

const PASSWORDS = {
  'of 11 characters': 'abcdefgh-ij',
  'of 11 characters after NFKC, 22 before': 'e\u0301'.repeat(11),
  'of 257 characters': 'ab-'.repeat(86).slice(0, 257),
  'of 258 characters after NFKC, 129 before': '\ufb00'.repeat(129),
  'that is among the most common': 'passwordpassword',
  'that is among them in other letters': '\uff30assWordPassword',
};

const GOOD_PASSWORDS = {
  'of 12 characters': 'abcdefgh-ijk',
  'of 12 characters after NFKC, 6 before': '\ufb00\ufb01\ufb02\ufb00\ufb01\ufb02',
  'of 256 characters': 'ab-'.repeat(86).slice(0, 256),
  'of 256 characters outside the first plane': '\u{1f511}'.repeat(256),
};

const METADATA: Readonly<Record<string, unknown>> = {
  'of 16 KiB and a byte': metadataOf(16 * 1024 + 1),
  'of 16 KiB and a byte, in fewer characters': { a: 'é'.repeat(8 * 1024 - 3) },
  'with NUL in a value': { a: 'b\0' },
  'with NUL in a name': { 'a\0': 1 },
  'with half a surrogate pair in a name': { '\udc00': 1 },
  'nested 8,000 deep': { a: nested(8000) },
  'that is a list': [],
  'that is null': null,
};

const GOOD_METADATA: Readonly<Record<string, unknown>> = {
  'of 16 KiB': metadataOf(16 * 1024),
  'nested 30 deep': { a: nested(30) },
  'that spells out \\u0000': { a: '\\u0000' },
  'with a name of another language': { 'имя\u{1f511}': 'ада' },
};

function metadataOf(bytes: number): unknown {
  return { a: 'x'.repeat(bytes - '{"a":""}'.length) };
}

function nested(depth: number): unknown {
  let list: unknown = [];
  for (let level = 1; level < depth; level += 1) list = [list];
  return list;
}

let target: Target;
let strict: TestTenant;

before(async () => {
  target = await Target.start();
  const config = { password_require_special: true, password_min_length: 20 };
  strict = await target.keywright.tenant('strict', { config: { ...config } });
});

after(() => target.close());

describe('an invalid identifier is rejected everywhere (SPEC errors body 1)', () => {
  const password = newPassword();
  for (const [what, identifier] of Object.entries(IDENTIFIERS)) {
    test(`An identifier with ${what} is rejected everywhere`, async () => {
      const login = { body: { identifier, secret: password, register: true } };
      const user = { body: { identifier, password } };
      const change = { body: { identifiers: [{ identifier }] } };
      const answer = '400 VALIDATION_FAILED';
      await target.refuses([what, 'POST /auth/login', login, answer, '/identifier']);
      await target.refuses([what, 'POST /users', user, answer, '/identifier']);
      await target.refuses([
        what,
        'PATCH /users/{user}',
        change,
        answer,
        '/identifiers/0/identifier',
      ]);
    });
  }
});

describe('an invalid new password is rejected everywhere, before it is hashed', () => {
  for (const [what, password] of Object.entries(PASSWORDS)) {
    test(what, async () => {
      const { hashesComputed } = target;
      const user = { body: { identifier: newIdentifier(), password } };
      const change = { body: { password } };
      const passwordChange = {
        body: { password, current_password: target.keywright.admin.password },
      };
      const answer = '400 VALIDATION_FAILED';
      await target.refuses([what, 'POST /users', user, answer, '/password']);
      await target.refuses([what, 'PATCH /users/{user}', change, answer, '/password']);
      await target.refuses([what, 'PATCH /me', passwordChange, answer, '/password']);
      assert.equal(target.hashesComputed, hashesComputed);
    });
  }

  for (const [what, password] of Object.entries(GOOD_PASSWORDS)) {
    test(`A new password ${what} is accepted, and logs in`, async () => {
      const { identifier } = await target.keywright.createUser({ password });
      await target.keywright.login(identifier, password.normalize('NFKD'));
    });
  }

  test("A new password that is too short or lacks a special character is rejected by the tenant's rules", async () => {
    const register = (secret: string) => {
      const body = { identifier: newIdentifier(), secret, register: true };
      return strict.request('POST', '/auth/login', { body });
    };
    for (const secret of [
      'nineteen-characters',
      'twentyOneCharacters21',
      'twenty one characters',
    ]) {
      assertRefused(await register(secret), '400 VALIDATION_FAILED', ['/secret']);
    }
    expectStatus(200, await register('twenty-one characters'));
  });
});

describe('metadata is rejected', () => {
  for (const [what, metadata] of Object.entries(METADATA)) {
    test(what, async () => {
      for (const [call, field] of [
        ['PATCH /me', 'user_metadata'],
        ['PATCH /users/{user}', 'user_metadata'],
        ['PATCH /users/{user}', 'metadata'],
      ] as const) {
        const body = { [field]: metadata };
        await target.refuses([what, call, { body }, '400 VALIDATION_FAILED', `/${field}`]);
      }
    });
  }

  test('A metadata value with an unpaired surrogate is rejected', async () => {
    const body = { metadata: { a: ['\ud800'] } };
    for (const call of ['PATCH /me', 'PATCH /users/{user}']) {
      await target.refuses(['', call, { body }, '400 VALIDATION_FAILED', '/metadata/a/0']);
    }
  });

  for (const [what, metadata] of Object.entries(GOOD_METADATA)) {
    test(`A metadata object ${what} is stored unchanged`, async () => {
      const options = { body: { metadata, user_metadata: metadata } };
      expectStatus(200, await target.send('PATCH /users/{user}', options));
      const record = expectStatus(200, await target.send('GET /users/{user}'));
      assert.deepEqual(record['metadata'], metadata);
      assert.deepEqual(record['user_metadata'], metadata);
    });
  }
});
