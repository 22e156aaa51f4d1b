import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { UserRecord } from '@keywright/contract/records/user';
import { newPassword } from '@keywright/tests/harness/credentials';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('appearance');
});
after(() => keywright.close());

type Reply = UserRecord & ErrorBody;

const administer = async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) =>
  tenant.request<Reply>(method, path, {
    token: await tenant.adminToken(),
    ...(body && { body }),
  });

/** Names that are invisible, or disturb the texts around them. */
const BAD_NAMES = {
  'a blank name': '  \u00A0 ',
  'a huge name': 'x'.repeat(129),
  'a name of two lines': 'Ada\nLovelace',
  'a line separator': 'Ada\u2028Lovelace',
  'a NUL character': 'Ada\u0000',
  'an escape character': '\u001B[31mAda',
  'text that runs from right to left': 'Ada \u202Egnp.exe',
  'an isolate without an end': '\u2067Ada',
  'a mark without a width': 'Ada\u200BLovelace',
  'a byte order mark': '\uFEFFAda',
  'only joiners': '\u200D\u200D',
  'a filler that looks like a space': '\u3164',
  'half a character': 'Ada\uD800',
} as const;

const BAD_PICTURES = {
  'a script': 'javascript:alert(1)',
  'inline data': 'data:image/png;base64,AAAA',
  'a URL without TLS': 'http://cdn.example.com/ada.png',
  'a URL with credentials': 'https://ada:secret@cdn.example.com/ada.png',
  localhost: 'https://localhost/ada.png',
  'a name without a dot': 'https://intranet/ada.png',
  'an internal name': 'https://wiki.internal/ada.png',
  'a private address': 'https://10.0.0.1/ada.png',
  'a private address as a number': 'https://2130706433/ada.png',
  'the metadata address of clouds': 'https://169.254.169.254/latest/',
  'a private IPv6 address': 'https://[::1]/ada.png',
  'a mapped address': 'https://[::ffff:127.0.0.1]/ada.png',
  'a space': 'https://cdn.example.com/a da.png',
  'a huge URL': `https://cdn.example.com/${'x'.repeat(2048)}`,
} as const;

describe('the name and picture of a user', () => {
  test('A user has a name and a picture from the start, or gets them later, and can lose them', async () => {
    const identifier = 'ada@example.com';
    const picture = 'https://cdn.example.com/ada.png?size=96';
    const body = { identifier, password: newPassword(), name: ' Ada  Lovelace ', picture };
    const made = expectStatus(201, await administer('POST', '/users', body));
    assert.deepEqual([made.name, made.picture], ['Ada Lovelace', picture]);
    const path = `/users/${made.id}`;
    assert.deepEqual(expectStatus(200, await administer('GET', path)), made);
    const renamed = expectStatus(200, await administer('PATCH', path, { name: 'Ada King' }));
    assert.deepEqual(renamed, { ...made, name: 'Ada King' });
    const none = { name: null, picture: null };
    assert.deepEqual(expectStatus(200, await administer('PATCH', path, none)), {
      ...made,
      ...none,
    });
    assert.deepEqual(expectStatus(200, await administer('GET', path)), { ...made, ...none });
  });

  test('Users change their own name and picture, and see them as administrators do', async () => {
    const { token, user } = await tenant.createUser();
    const change = { name: 'Grace Hopper', picture: 'https://cdn.example.com/grace.webp' };
    const changed = await tenant.request<Reply>('PATCH', '/me', { token, body: change });
    const { name, picture } = expectStatus(200, changed);
    assert.deepEqual({ name, picture }, change);
    const read = expectStatus(200, await administer('GET', `/users/${user.id}`));
    assert.deepEqual({ name: read.name, picture: read.picture }, change);
  });

  for (const [what, name] of Object.entries(BAD_NAMES)) {
    test(`A name is rejected with ${what}`, async () => {
      const { token, user } = await tenant.createUser();
      for (const answer of [
        await tenant.request<Reply>('PATCH', '/me', { token, body: { name } }),
        await administer('PATCH', `/users/${user.id}`, { name }),
      ]) {
        assert.equal(expectStatus(400, answer).code, 'VALIDATION_FAILED');
      }
    });
  }

  test('A name can have any script, joiners, emoji and characters that HTML escapes', async () => {
    const { token } = await tenant.createUser();
    const names = [
      'نسترن می‌خواهد',
      '山田 太郎',
      'Zoë <b>O’Hara</b> & Söhne',
      '👩‍💻 Ada',
      'x'.repeat(128),
    ];
    for (const name of names) {
      const answer = await tenant.request<Reply>('PATCH', '/me', { token, body: { name } });
      assert.equal(expectStatus(200, answer).name, name);
    }
  });

  for (const [what, picture] of Object.entries(BAD_PICTURES)) {
    test(`The URL of a picture is rejected if it has ${what}`, async () => {
      const { token } = await tenant.createUser();
      const answer = await tenant.request<Reply>('PATCH', '/me', { token, body: { picture } });
      const { errors } = expectStatus(400, answer);
      assert.deepEqual(
        errors?.map((error) => error.path),
        ['/picture'],
      );
    });
  }

  test('The last login of a user is null before the first one, and then has its time to the minute', async () => {
    const made = await tenant.createUser();
    const body = { identifier: 'waiting@example.com', password: newPassword() };
    const waiting = expectStatus(201, await administer('POST', '/users', body));
    assert.equal(waiting.last_login_at, null);
    const at = await until('the login', async () => {
      const { last_login_at: last } = expectStatus(
        200,
        await administer('GET', `/users/${made.user.id}`),
      );
      return last ?? undefined;
    });
    assert.match(at, /:00\.000Z$/);
    assert.equal(
      expectStatus(200, await administer('GET', `/users/${waiting.id}`)).last_login_at,
      null,
    );
  });
});
