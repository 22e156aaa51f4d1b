import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { TenantMessaging, TenantRecord } from '@keywright/contract/records/tenant';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { EVERY_SETTING } from '@keywright/tests/harness/full-config';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';
import { unseal } from '../../../platform/crypto/sealed.ts';
import { MasterKeys } from '../../../tenancy/data-keys.ts';
import { messagingPlace } from '../../../tenancy/tenant.ts';

const [MASTER_KEY, MASKED] = [randomBytes(32), '********'];

let keywright: Keywright;
let tenant: TestTenant;
let tenants = 0;

before(async () => {
  const env = { KEYWRIGHT_MASTER_KEY: MASTER_KEY.toString('base64') };
  keywright = await startKeywright({ env });
  tenant = await keywright.tenant('update');
});

after(() => keywright.close());

function freshTenant(domains: readonly string[] = []): Promise<TestTenant> {
  // The defaults, which other tests have raised.
  const config = { registrations_limit: 1000, registrations_address_limit: 20 };
  return keywright.tenant(`update-${(tenants += 1)}`, { domains, config });
}

async function patch({ id }: TestTenant, body: object): Promise<Answer<TenantRecord & ErrorBody>> {
  const token = await keywright.adminToken();
  return keywright.home.request('PATCH', `/tenants/${id}`, { token, body });
}

async function patched(of: TestTenant, body: object): Promise<TenantRecord> {
  return expectStatus(200, await patch(of, body));
}

async function recordOf({ id }: TestTenant): Promise<TenantRecord> {
  const token = await keywright.adminToken();
  return expectStatus(200, await keywright.home.request('GET', `/tenants/${id}`, { token }));
}

describe('PATCH /tenants/<id>', () => {
  test('PATCH /tenants/<id> returns the updated record, and changes only what it names (SPEC endpoints tenants 5)', async () => {
    const of = await freshTenant(['patched.test']);
    const earlier = await recordOf(of);
    const answer = await patched(of, { name: 'Renamed' });
    assert.deepEqual(answer, { ...earlier, name: 'Renamed' });
    assert.deepEqual(await recordOf(of), answer);
  });

  test('PATCH /tenants/<id> merges config field by field, and replaces lists and maps', async () => {
    const of = await freshTenant();
    const first = { session_timeout: 600, custom_claims: { plan: 'gold', region: 'eu' } };
    await patched(of, { config: first });
    const { config: earlier } = await recordOf(of);
    const second = { refresh_token_ttl: 900, custom_claims: { plan: 'free' } };
    const { config } = await patched(of, { config: second });
    assert.deepEqual(config, { ...earlier, ...second });
    assert.equal(config.session_timeout, 600);
    assert.deepEqual((await recordOf(of)).config, config);
    await patched(of, { config: { audience: 'api' } });
    assert.equal((await patched(of, { config: { audience: null } })).config.audience, null);
  });

  test('PATCH /tenants/<id> merges branding field by field, and returns every field of it (SPEC resources tenant 4)', async () => {
    const of = await freshTenant();
    const branding = {
      logo_url: 'https://cdn.example.com/logo.svg?v=2',
      primary_color: '#1A2b3C',
      secondary_color: '#ffffff',
      company_name: 'Acme & Söhne',
      support_email: 'help@acme.example.com',
    };
    assert.deepEqual((await patched(of, { branding })).branding, branding);
    const change = { primary_color: '#000000' };
    const both = { ...branding, ...change };
    assert.deepEqual((await patched(of, { branding: change })).branding, both);
    assert.deepEqual((await patched(of, { branding: {} })).branding, both);
    assert.deepEqual((await recordOf(of)).branding, both);
  });

  test('PATCH /tenants/<id> merges messaging field by field in each group, and returns every field of it (SPEC resources tenant 5)', async () => {
    const of = await freshTenant();
    const email = {
      provider: 'smtp',
      smtp_host: 'mail.example.com',
      smtp_port: 587,
      smtp_username: 'mailer',
      from_address: 'no-reply@example.com',
    };
    const sms = { provider: 'twilio', account_sid: 'AC1' };
    assert.deepEqual((await patched(of, { messaging: { email } })).messaging, { email });
    assert.deepEqual((await patched(of, { messaging: { sms } })).messaging, { email, sms });
    const change = { email: { smtp_port: 2525 }, sms: { account_sid: 'AC2' } };
    const merged = { email: { ...email, ...change.email }, sms: { ...sms, ...change.sms } };
    assert.deepEqual((await patched(of, { messaging: change })).messaging, merged);
    assert.deepEqual((await recordOf(of)).messaging, merged);
  });

  test('PATCH /tenants/<id> resets a setting with null: to its default, or to absent', async () => {
    const of = await freshTenant();
    const earlier = await recordOf(of);
    const set = {
      config: { ...EVERY_SETTING },
      branding: {
        logo_url: 'https://cdn.example.com/logo.svg',
        primary_color: '#112233',
        secondary_color: '#445566',
        company_name: 'Acme',
        support_email: 'help@acme.example.com',
      },
      messaging: {
        email: {
          provider: 'smtp',
          smtp_host: 'mail.example.com',
          smtp_port: 587,
          smtp_username: 'mailer',
          smtp_password: 'hush',
          from_address: 'no-reply@example.com',
        },
        sms: { provider: 'vonage', account_sid: 'AC1', auth_token: 'hush', from: 'Acme' },
      },
    };
    const nulls = (names: object) =>
      Object.fromEntries(Object.keys(names).map((name) => [name, null]));
    assert.notDeepEqual((await patched(of, set)).config, earlier.config);
    const { email, sms } = set.messaging;
    for (const [part, settings] of Object.entries({ config: set.config, branding: set.branding })) {
      for (const name of Object.keys(settings)) {
        const record = await patched(of, { [part]: { [name]: null } });
        const { [name]: now } = record[part as 'config'] as Record<string, unknown>;
        assert.deepEqual(now, (earlier[part as 'config'] as Record<string, unknown>)[name], name);
      }
    }
    // The password first: the server can be changed only without it.
    for (const name of ['smtp_password', ...Object.keys(email)]) {
      const { messaging } = await patched(of, { messaging: { email: { [name]: null } } });
      assert.equal(messaging.email !== undefined && name in messaging.email, false, name);
    }
    const shown = { sms: { ...sms, auth_token: MASKED } };
    assert.deepEqual((await recordOf(of)).messaging, shown);
    assert.deepEqual(await patched(of, { messaging: { sms: null } }), earlier);
    assert.deepEqual(await recordOf(of), earlier);
    await patched(of, set);
    const all = {
      config: nulls(set.config),
      branding: nulls(set.branding),
      messaging: nulls(set.messaging),
    };
    assert.deepEqual(await patched(of, all), earlier);
    const [row] = await keywright.database.query<{ kept: unknown }>(
      `SELECT jsonb_build_array(config, branding, messaging) AS kept FROM tenants WHERE tenant_id = $1`,
      [of.id],
    );
    assert.deepEqual(row?.kept, [{}, {}, {}]);
  });

  test('A null setting on creation of a tenant is treated as absent', async () => {
    const token = await keywright.adminToken();
    const settings = {
      config: { session_timeout: null, audience: null },
      branding: { logo_url: null },
      messaging: { sms: null, email: { smtp_host: null } },
    };
    const body = { name: 'Null', slug: 'null', ...settings };
    const made = await keywright.home.request<TenantRecord>('POST', '/tenants', { token, body });
    const { config, branding, messaging } = expectStatus(201, made);
    assert.deepEqual([config.session_timeout, branding, messaging], [3600, {}, {}]);
  });

  test('PATCH /tenants/<id> changes nothing if any part of it is rejected', async () => {
    const of = await freshTenant(['kept.test']);
    const earlier = await recordOf(of);
    const good = { name: 'Half', branding: { primary_color: '#000000' }, domains: ['new.test'] };
    const refused = [
      { ...good, config: { session_timeout: 1 } },
      { ...good, config: { custom_claims: { sub: 'x' } } },
      { ...good, domains: ['new.test', 'update.example.com'] },
    ];
    for (const body of refused) expectStatus(400, await patch(of, body));
    assert.deepEqual(await recordOf(of), earlier);
  });

  const MALFORMED: readonly [string, object][] = [
    ['nothing at all', {}],
    ['an unknown field', { slug: 'other' }],
    ['an id', { id: 'org_other' }],
    ['null for a part', { config: null }],
    ['an empty name', { name: '' }],
    ['a color of three digits', { branding: { primary_color: '#fff' } }],
    ['a color in words', { branding: { secondary_color: 'rebeccapurple' } }],
    ['a color with more behind it', { branding: { primary_color: '#000000; }' } }],
    ['a logo over http', { branding: { logo_url: 'http://cdn.example.com/logo.svg' } }],
    ['a logo that is a script', { branding: { logo_url: 'javascript:alert(1)' } }],
    ['a logo with a space', { branding: { logo_url: 'https://cdn.example.com/a b' } }],
    ['a mailbox without a host', { branding: { support_email: 'help@' } }],
    ['an unknown field of branding', { branding: { font: 'serif' } }],
    ['port 0', { messaging: { email: { smtp_port: 0 } } }],
    ['port 65536', { messaging: { email: { smtp_port: 65_536 } } }],
    ['a port as text', { messaging: { email: { smtp_port: '25' } } }],
    ['a mail host with a path', { messaging: { email: { smtp_host: 'mail.test/x' } } }],
    ['a sender with a line break', { messaging: { email: { from_address: 'a@b.test\nBcc: c' } } }],
    ['an unknown group of messaging', { messaging: { fax: {} } }],
    ['an unknown field of a group', { messaging: { sms: { token: 'x' } } }],
    ['an empty secret', { messaging: { sms: { auth_token: '' } } }],
    ['session_timeout 59', { config: { session_timeout: 59 } }],
    ['session_timeout 86401', { config: { session_timeout: 86_401 } }],
    ['refresh_token_ttl 299', { config: { refresh_token_ttl: 299 } }],
    ['a retry window of 61', { config: { refresh_retry_window: 61 } }],
    ['password_min_length 7', { config: { password_min_length: 7 } }],
    ['password_min_length 257', { config: { password_min_length: 257 } }],
    ['half a number', { config: { login_attempts_limit: 1.5 } }],
    ['a limit of 0', { config: { login_attempts_limit: 0 } }],
    ['an unknown login method', { config: { allowed_login_methods: ['password', 'sms'] } }],
    ['a login method twice', { config: { allowed_login_methods: ['oauth', 'oauth'] } }],
    ['yes for true', { config: { require_mfa: 'yes' } }],
    ['an empty audience', { config: { audience: '' } }],
    ['an unknown setting', { config: { mfa: true } }],
    ['an issuer that ends in a slash', { issuer: 'https://id.acme.test/' }],
    ['an issuer with a query', { issuer: 'https://id.acme.test/a?b' }],
    ['an issuer that is no address', { issuer: 'acme' }],
  ];
  for (const [what, body] of MALFORMED) {
    test(`PATCH /tenants/<id> rejects ${what}`, async () => {
      const earlier = await recordOf(tenant);
      const answer = await patch(tenant, body);
      assert.equal(`${answer.status} ${answer.body.code}`, '400 VALIDATION_FAILED');
      assert.deepEqual(await recordOf(tenant), earlier);
    });
  }
});

describe('changed domains', () => {
  test('The changed domains of a tenant replace the previous ones, which can be reused immediately', async () => {
    const [of, next] = [await freshTenant(['old.test', 'both.test']), await freshTenant()];
    const taken = await patch(next, { domains: ['OLD.test.'] });
    assert.equal(expectStatus(400, taken).code, 'DOMAIN_TAKEN');
    const { domains } = await patched(of, { domains: ['New.test:443', 'both.test', 'BOTH.test.'] });
    assert.deepEqual(domains, ['both.test', 'new.test']);
    assert.deepEqual((await recordOf(of)).domains, domains);
    assert.deepEqual((await patched(next, { domains: ['old.test'] })).domains, ['old.test']);
    assert.deepEqual((await patched(of, { domains: [] })).domains, []);
    await patched(next, { domains: ['both.test', 'new.test'] });
  });

  test('The changed domains of a tenant resolve to it within a second', async () => {
    const [from, to] = [await freshTenant(['moved.test']), await freshTenant()];
    const ownerOf = async (host: string) => {
      const body = { identifier: 'unknown@example.com', secret: 'a wrong secret' };
      const answer = await keywright.request<ErrorBody>('POST', '/auth/login', { host, body });
      const token = await to.adminToken();
      const mine = await keywright.request<ErrorBody>('GET', '/users', { host, token });
      return answer.status === 400 ? 'unknown' : mine.status === 200 ? 'to' : 'another';
    };
    assert.equal(await ownerOf('moved.test'), 'another');
    await patched(from, { domains: [] });
    await until('no tenant has it', async () => (await ownerOf('moved.test')) === 'unknown', 1000);
    await patched(to, { domains: ['moved.test'] });
    await until('the other has it', async () => (await ownerOf('moved.test')) === 'to', 1000);
  });
});

describe('a secret in messaging', () => {
  /** The stored value of a field, and its plaintext under the tenant's data key. */
  async function storedSecret({ id }: TestTenant, group: 'email' | 'sms', field: string) {
    const [row] = await keywright.database.query<{
      messaging: Record<string, Record<string, string> | undefined>;
      wrapped_key: Buffer;
      master_key_id: string;
    }>(
      `SELECT messaging, wrapped_key, master_key_id
         FROM tenants JOIN tenant_data_keys USING (tenant_id) WHERE tenant_id = $1`,
      [id],
    );
    assert.ok(row);
    const sealed = row.messaging[group]?.[field] ?? '';
    const key = new MasterKeys([MASTER_KEY]).unwrap(id, row);
    const place = messagingPlace(id, group, field);
    const opened = unseal(key, Buffer.from(sealed, 'base64'), place).toString();
    return { row: JSON.stringify(row.messaging), opened };
  }

  function masked(messaging: TenantMessaging): unknown[] {
    return [messaging.email?.smtp_password, messaging.sms?.auth_token];
  }

  const SECRETS: TenantMessaging = {
    email: { smtp_host: 'mail.test', smtp_password: 'hush, it is pässword' },
    sms: { auth_token: 'hush, it is a token' },
  };

  test('A secret in messaging is never returned, and is stored encrypted for its own place', async () => {
    const of = await freshTenant();
    const answer = await patch(of, { messaging: SECRETS });
    assert.deepEqual(masked(expectStatus(200, answer).messaging), [MASKED, MASKED]);
    const token = await of.adminToken();
    const fetched = await of.request<TenantRecord>('GET', `/tenants/${of.id}`, { token });
    for (const text of [answer.text, fetched.text]) assert.doesNotMatch(text, /hush/);
    assert.deepEqual(masked(fetched.body.messaging), [MASKED, MASKED]);
    const password = await storedSecret(of, 'email', 'smtp_password');
    assert.equal(password.opened, SECRETS.email?.smtp_password);
    assert.equal((await storedSecret(of, 'sms', 'auth_token')).opened, SECRETS.sms?.auth_token);
    assert.doesNotMatch(password.row, /hush/);
  });

  test('A secret in messaging is encrypted and masked from the creation of the tenant on', async () => {
    const token = await keywright.adminToken();
    const body = { name: 'Sealed', slug: 'sealed', messaging: SECRETS };
    const headers = { 'idempotency-key': 'sealed' };
    const options = { token, body, headers };
    for (const answer of [
      await keywright.home.request<TenantRecord>('POST', '/tenants', options),
      await keywright.home.request<TenantRecord>('POST', '/tenants', options),
    ]) {
      assert.deepEqual(masked(expectStatus(201, answer).messaging), [MASKED, MASKED]);
      assert.doesNotMatch(answer.text, /hush/);
    }
    const made = { id: 'org_sealed' } as TestTenant;
    assert.equal((await storedSecret(made, 'sms', 'auth_token')).opened, SECRETS.sms?.auth_token);
    const kepts = await keywright.database.query('SELECT response FROM idempotency_keys');
    assert.doesNotMatch(JSON.stringify(kepts), /hush/);
  });

  test('A secret in messaging is unchanged if the record is written back as it was read', async () => {
    const of = await freshTenant();
    const { messaging } = await patched(of, { messaging: SECRETS });
    const earlier = await storedSecret(of, 'email', 'smtp_password');
    assert.deepEqual((await patched(of, { messaging })).messaging, messaging);
    assert.deepEqual(await storedSecret(of, 'email', 'smtp_password'), earlier);
    const change = { email: { smtp_password: 'hush, a new one', smtp_host: 'mail2.test' } };
    const changed = await patched(of, { messaging: change });
    assert.deepEqual(masked(changed.messaging), [MASKED, MASKED]);
    assert.equal((await storedSecret(of, 'email', 'smtp_password')).opened, 'hush, a new one');
    assert.equal((await storedSecret(of, 'sms', 'auth_token')).opened, SECRETS.sms?.auth_token);
  });

  test('A secret in messaging is not set by the mask if there was none', async () => {
    const of = await freshTenant();
    const email = { smtp_host: 'mail.test', smtp_password: MASKED };
    const answer = await patched(of, { messaging: { email } });
    assert.deepEqual(answer.messaging, { email: { smtp_host: 'mail.test' } });
  });

  test('A secret in messaging of one tenant cannot be decrypted for another', async () => {
    const [of, other] = [await freshTenant(), await freshTenant()];
    await patched(of, { messaging: SECRETS });
    await keywright.database.query(
      `UPDATE tenants SET messaging = (SELECT messaging FROM tenants WHERE tenant_id = $1)
        WHERE tenant_id = $2`,
      [of.id, other.id],
    );
    await assert.rejects(storedSecret(other, 'sms', 'auth_token'));
  });
});
