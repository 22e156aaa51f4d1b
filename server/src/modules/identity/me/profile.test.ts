import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { ProfileRecord } from '@keywright/contract/records/profile';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('profiles');
});
after(() => keywright.close());

const profile = ({ token }: TestUser, body?: object) =>
  tenant.request<ProfileRecord & ErrorBody>(body ? 'PATCH' : 'GET', '/me/profile', {
    token,
    ...(body && { body }),
  });

async function change(user: TestUser, user_metadata: object): Promise<void> {
  const { token } = user;
  expectStatus(200, await tenant.request('PATCH', '/me', { token, body: { user_metadata } }));
}

async function metadataOf({ token }: TestUser): Promise<unknown> {
  const answer: Answer<{ user_metadata: unknown }> = await tenant.request('GET', '/me', { token });
  return expectStatus(200, answer).user_metadata;
}

function refused(answer: Answer<ErrorBody>): void {
  assert.equal(expectStatus(400, answer).code, 'VALIDATION_FAILED');
}

describe('the profile', () => {
  test('The profile is empty at first, and a change affects only the named members', async () => {
    const user = await tenant.createUser();
    const empty = {
      user_id: user.user.id,
      tenant_id: tenant.id,
      name: null,
      picture: null,
      locale: null,
    };
    assert.deepEqual(expectStatus(200, await profile(user)), empty);
    expectStatus(200, await profile(user, { name: 'Ada Lovelace' }));
    const both = expectStatus(200, await profile(user, { locale: 'de' }));
    assert.deepEqual(both, { ...empty, name: 'Ada Lovelace', locale: 'de' });
    const cleared = expectStatus(200, await profile(user, { name: null }));
    assert.deepEqual(cleared, { ...empty, locale: 'de' });
    assert.deepEqual(expectStatus(200, await profile(user)), cleared);
  });

  test('The profile leaves the other members of user_metadata as they are', async () => {
    const user = await tenant.createUser();
    await change(user, { theme: 'dark', name: 'Ada', none: null });
    expectStatus(200, await profile(user, { name: null, locale: 'fr' }));
    const expected = { theme: 'dark', name: 'Ada', none: null, locale: 'fr' };
    assert.deepEqual(await metadataOf(user), expected);
  });

  test('The profile takes only a valid language from user_metadata, and no name', async () => {
    const user = await tenant.createUser();
    await change(user, { name: 'Ada', locale: 'tlh' });
    const { name, locale } = expectStatus(200, await profile(user));
    assert.deepEqual([name, locale], [null, null]);
  });

  test('The profile accepts a name of one line that is not blank, and a language that there are texts in', async () => {
    const user = await tenant.createUser();
    const bodies = [
      { name: '' },
      { name: '   ' },
      { name: 'Ada\nLovelace' },
      { name: 'x'.repeat(129) },
      { locale: 'tlh' },
      { locale: '' },
      {},
    ];
    for (const body of bodies) refused(await profile(user, body));
    expectStatus(200, await profile(user, { name: 'x'.repeat(128) }));
  });

  test('The profile does not make user_metadata larger than its limit', async () => {
    const user = await tenant.createUser();
    await change(user, { much: 'x'.repeat(16 * 1024 - 11) });
    refused(await profile(user, { locale: 'de' }));
  });

  test('The profile is recorded when it changes, and not when it remains the same', async () => {
    const user = await tenant.createUser();
    for (const name of ['Ada', 'Ada', 'Grace', 'Grace']) {
      expectStatus(200, await profile(user, { name }));
    }
    const log = await tenant.request<{ items: { action: string }[] }>('GET', '/me/audit', {
      token: user.token,
    });
    const changes = expectStatus(200, log).items.filter(({ action }) => action === 'user.updated');
    assert.equal(changes.length, 2);
  });
});
