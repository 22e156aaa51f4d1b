import assert from 'node:assert/strict';
import { findPushedRequest } from '../../server/sql/oauth/kw_find_pushed_request.ts';
import { pollDevice } from '../../server/sql/oauth/kw_poll_device.ts';
import { pushRequest } from '../../server/sql/oauth/kw_push_request.ts';
import { type Check, NOW, RECORDED, type Tested } from './function-check.ts';
import { callOf } from './login-functions.ts';
import type { Seeded } from './seed.ts';

const LONG_AGO = new Date(0);
const LATER = new Date('2026-01-20T00:00:00Z');
const FAR_FUTURE = new Date('2100-01-01T00:00:00Z');

/** Makes the sessions of both tenants browser sessions. */
function inBrowsers({ local, foreign, asOwner }: Tested): Promise<unknown> {
  const ids = [local, foreign].map(({ sessionId }) => `'${sessionId}'`).join(', ');
  return asOwner(`UPDATE sessions SET kind = 'browser', refresh_kid = NULL WHERE id IN (${ids})`);
}

function asBefore({ foreign: { sessionId }, asOwner }: Tested): Promise<unknown> {
  return asOwner(`UPDATE sessions SET kind = 'api', refresh_kid = 'kid' WHERE id = '${sessionId}'`);
}

/** A code of the test's own tenant, which can refer to records of another tenant. */
interface Code {
  readonly where: Seeded;
  readonly user?: Seeded;
  readonly login?: Seeded;
  readonly consent?: Seeded;
}

/** The arguments of kw_open_client_sessions. */
function redeemed(codes: readonly Code[], version: number): unknown[] {
  const ofEach = <T>(constant: T) => codes.map(() => constant);
  const consentOf = ({ tenantId }: Seeded) => `cns_${tenantId}`;
  return [
    codes.map(({ where }) => where.tenantId),
    codes.map((_, index) => `session:client ${index}`),
    codes.map(({ where }) => `client_${where.tenantId}`),
    codes.map(({ where, user = where }) => user.userId),
    codes.map(({ where }) => where.workspaceId),
    codes.map(({ where, login = where }) => login.sessionId),
    ofEach(null),
    codes.map(({ where, consent = where }) => consentOf(consent)),
    ofEach(1),
    codes.map((_, index) => Buffer.from(`code ${index}`)),
    ofEach('openid'),
    ofEach(null),
    ofEach('192.0.2.1'),
    ofEach(NOW),
    ofEach(LATER),
    ofEach(LATER),
    ofEach(Buffer.from('new')),
    ofEach(50),
    codes.map((_, index) => RECORDED.replace('aud_new', `aud_new_${index}`)).join('\n'),
    ofEach('[]').join('\n'),
    ofEach(null),
    ofEach(version),
    ofEach(true),
  ];
}

/** Every pair of a tenant and whose row is requested in it. */
function crossed(local: Seeded, foreign: Seeded): readonly (readonly [Seeded, Seeded])[] {
  return [
    [local, local],
    [local, foreign],
    [foreign, local],
    [foreign, foreign],
  ];
}

/** Changes the client of the test's own tenant. */
async function change({ local, asOwner }: Tested, to = 'name = name'): Promise<void> {
  await asOwner(`UPDATE oauth_clients SET ${to} WHERE tenant_id = '${local.tenantId}'`);
}

async function versionOf({ local, value }: Tested): Promise<number> {
  await value('kw_enter($1)', local.tenantId);
  return Number(await value('(SELECT version FROM oauth_clients)'));
}

/** The functions that logins of applications go through. */
export const CLIENT_FUNCTIONS: Readonly<Record<string, Check>> = {
  kw_read_browser_logins: async (tested) => {
    const { local, foreign, rows } = tested;
    const find = async (...pairs: readonly (readonly [where: Seeded, whose: Seeded])[]) => {
      const found = await rows(
        'kw_read_browser_logins($1, $2, $3, $4, $5)',
        pairs.map(([where]) => where.tenantId),
        pairs.map(([, whose]) => whose.sessionId),
        pairs.map(() => local.refreshHash),
        pairs.map(([, whose]) => `client_${whose.tenantId}`),
        pairs.map(() => NOW),
      );
      return found.map((row) => [row['user_id'], row['consent_id'], row['client_version']]);
    };
    const none = [null, null, null];
    const version = await versionOf(tested);
    const ofLocal = [local.userId, `cns_${local.tenantId}`, version];
    const notFound = [null, null, version];
    assert.deepEqual(
      await find([local, local]),
      [notFound],
      'the secret of another kind of session',
    );
    await inBrowsers(tested);
    const all = [
      [local, local],
      [local, foreign],
      [foreign, local],
      [local, local],
    ] as const;
    assert.deepEqual(await find(...all), [ofLocal, none, none, ofLocal]);
    await asBefore(tested);
  },

  kw_find_console_users: async (tested) => {
    const { local, foreign, rows } = tested;
    const find = async (...pairs: readonly (readonly [where: Seeded, whose: Seeded])[]) => {
      const found = await rows(
        'kw_find_console_users($1, $2, $3, $4, $5, $6)',
        pairs.map(([where]) => where.tenantId),
        pairs.map(([, whose]) => whose.sessionId),
        pairs.map(() => local.refreshHash),
        pairs.map(() => NOW),
        pairs.map(() => LONG_AGO),
        pairs.map(() => LONG_AGO),
      );
      return found.map((row) => row['user_id']);
    };
    assert.deepEqual(await find([local, local]), [null], 'the secret of another kind of session');
    await inBrowsers(tested);
    const all = [
      [local, local],
      [local, foreign],
      [foreign, local],
      [local, local],
    ] as const;
    assert.deepEqual(await find(...all), [local.userId, null, null, local.userId]);
    await asBefore(tested);
  },

  kw_write_browser_uses: async (tested) => {
    const { local, foreign, value } = tested;
    await inBrowsers(tested);
    const tenants = [local.tenantId, local.tenantId];
    const sessions = [local.sessionId, foreign.sessionId];
    const idleSeconds = [3600, 3600];
    const call = 'kw_write_browser_uses($1, $2, $3, $4, $5)';
    await value(call, tenants, sessions, idleSeconds, LATER, FAR_FUTURE);
    const usedIn = async ({ tenantId }: Seeded) => {
      await value('kw_enter($1)', tenantId);
      return value(
        `(SELECT string_agg(id, ',') FROM sessions WHERE refresh_issued_at = $1)`,
        LATER,
      );
    };
    assert.deepEqual([await usedIn(local), await usedIn(foreign)], [local.sessionId, null]);
    await asBefore(tested);
  },

  kw_find_fixed_sessions: async (tested) => {
    const { local, foreign, rows, asOwner } = tested;
    const ids = [local, foreign].map(({ sessionId }) => `'${sessionId}'`).join(', ');
    await asOwner(`UPDATE sessions SET kind = 'client', client_id = 'client_' || tenant_id, scopes = '{}'
                    WHERE id IN (${ids})`);
    const version = await versionOf(tested);
    const find = async (pairs: readonly (readonly [where: Seeded, whose: Seeded])[]) => {
      const found = await rows(
        'kw_find_fixed_sessions($1, $2, $3, $4, $5, $6, $7)',
        pairs.map(([where]) => where.tenantId),
        pairs.map(([, whose]) => whose.sessionId),
        pairs.map(([, whose]) => whose.refreshHash),
        pairs.map(() => NOW),
        pairs.map(([, whose]) => `client_${whose.tenantId}`),
        pairs.map(() => version),
        pairs.map(() => true),
      );
      return found.map((row) => [row['outcome'], row['user_id'], row['metadata'] !== null]);
    };
    const all = [
      [local, foreign],
      [local, local],
      [foreign, local],
      [local, local],
    ] as const;
    const ofLocal = ['current', local.userId, true];
    const none = ['stale', null, false];
    assert.deepEqual(await find(all), [none, ofLocal, none, ofLocal]);
    await asOwner(
      `UPDATE sessions SET kind = 'api', client_id = NULL, scopes = NULL WHERE id IN (${ids})`,
    );
  },

  kw_find_clients: async ({ local, foreign, value }) => {
    const found = await value(
      'kw_find_clients($1, $2)',
      [local.tenantId, local.tenantId, foreign.tenantId, local.tenantId],
      [local, foreign, local, local].map(({ tenantId }) => `client_${tenantId}`),
    );
    const secrets = (found as ({ secret_hashes: string[] } | null)[]).map(
      (client) => client?.secret_hashes.length,
    );
    assert.deepEqual(secrets, [1, undefined, undefined, 1]);
  },

  kw_find_client_versions: async (tested) => {
    const { local, foreign, value } = tested;
    const found = await value(
      'kw_find_client_versions($1, $2)',
      [local.tenantId, local.tenantId, foreign.tenantId],
      [local, foreign, local].map(({ tenantId }) => `client_${tenantId}`),
    );
    assert.deepEqual(found, [await versionOf(tested), null, null]);
  },

  kw_count_client_change: async (tested) => {
    const { value } = tested;
    await assert.rejects(
      tested.entered(() => value('kw_count_client_change()')),
      { code: '0A000' },
    );
    const before = await versionOf(tested);
    await change(tested);
    assert.equal(await versionOf(tested), before + 1);
  },

  kw_count_secret_change: async (tested) => {
    const { local, entered, value, asOwner } = tested;
    await assert.rejects(
      entered(() => value('kw_count_secret_change()')),
      { code: '0A000' },
    );
    const before = await versionOf(tested);
    await asOwner(`UPDATE oauth_client_secrets SET id = id WHERE tenant_id = '${local.tenantId}'`);
    assert.equal(await versionOf(tested), before + 1);
  },

  kw_push_request: async (tested) => {
    const { local, foreign, batch } = tested;
    const version = await versionOf(tested);
    const clientOf = ({ tenantId }: Seeded) => `client_${tenantId}`;
    const cases = [
      ['as it is', local, clientOf(local), version],
      ['another version', local, clientOf(local), version + 1],
      ['as if it were unknown', local, clientOf(local), 0],
      ['of its document alone', local, 'https://app.example.com/client', 0],
      ['of a foreign tenant', local, clientOf(foreign), version],
      ['in a foreign tenant', foreign, clientOf(local), version],
    ] as const;
    const items = cases.map(([name, { tenantId: tenant }, client, cachedVersion]) => ({
      tenant,
      id: Buffer.from(`known ${name}`),
      client,
      version: cachedVersion,
      parameters: `scope=${name}`,
      expiresAt: LATER,
    }));
    const stored = await batch(pushRequest, ...items);
    assert.deepEqual(
      stored.map((row) => row['answer']),
      [true, false, false, true, false, false],
    );
    const find = async (tenantOf: (tenant: string) => string) => {
      const lookups = items.map(({ tenant, id, client }) => ({
        tenant: tenantOf(tenant),
        id,
        client,
        now: NOW,
      }));
      return (await batch(findPushedRequest, ...lookups)).map((row) => row['place']);
    };
    assert.deepEqual(await find((tenant) => tenant), [1, 4]);
    const elsewhere = await find((tenant) =>
      tenant === local.tenantId ? foreign.tenantId : local.tenantId,
    );
    assert.deepEqual(elsewhere, []);
  },

  kw_find_pushed_request: async ({ local, foreign, batch }) => {
    const found = await batch(
      findPushedRequest,
      ...crossed(local, foreign).map(([{ tenantId: tenant }, { subject: id }]) => ({
        tenant,
        id,
        client: 'client_isolation',
        now: NOW,
      })),
    );
    assert.deepEqual(
      found.map((row) => [row['place'], row['parameters']]),
      [
        [1, 'scope=openid'],
        [4, 'scope=openid'],
      ],
    );
  },

  kw_poll_device: async ({ local, foreign, batch }) => {
    const poll = async (client: string, ...devices: readonly (readonly [Seeded, Seeded])[]) => {
      const polled = await batch(
        pollDevice,
        ...devices.map(([{ tenantId: tenant }, { subject: id }]) => ({
          tenant,
          id,
          client,
          now: NOW,
        })),
      );
      return polled.map((row) => [row['place'], row['outcome']]);
    };
    assert.deepEqual(await poll('client_isolation', [local, foreign], [foreign, local]), []);
    assert.deepEqual(await poll('client_other', [local, local]), []);
    assert.deepEqual(await poll('client_isolation', [local, local], [local, local]), [
      [1, 'pending'],
      [2, 'too_soon'],
    ]);
  },

  kw_note_device_polls: async ({ local, foreign, value }) => {
    const note = (client: string, ...devices: readonly (readonly [Seeded, Seeded])[]) => {
      const values = [
        devices.map(([{ tenantId }]) => tenantId),
        devices.map(([, { subject }]) => subject),
        devices.map(() => client),
        NOW,
      ];
      return value(callOf('kw_note_device_polls', values), ...values);
    };
    assert.deepEqual(await note('client_isolation', [local, foreign], [foreign, local]), []);
    assert.deepEqual(await note('client_other', [local, local]), []);
    assert.deepEqual(await note('client_isolation', [foreign, local], [local, local]), [2]);
    assert.deepEqual(await note('client_isolation', [local, local]), [], 'too soon');
  },

  kw_open_client_sessions: async (tested) => {
    const { local, foreign, rows } = tested;
    const version = await versionOf(tested);
    const open = async (codes: readonly Code[], of = version) => {
      const values = redeemed(codes, of);
      const found = await rows(callOf('kw_open_client_sessions', values), ...values);
      return found.map(({ outcome }) => outcome);
    };
    assert.deepEqual(await open([{ where: local }]), ['refused'], 'no session of a browser');
    await inBrowsers(tested);
    const earlier = await open([{ where: local }], version - 1);
    assert.deepEqual(earlier, ['stale'], 'another version of the client');
    const codes = [
      { where: local },
      { where: local, user: foreign },
      { where: local, login: foreign },
      { where: local, consent: foreign },
    ];
    assert.deepEqual(await open(codes), ['opened', 'refused', 'refused', 'refused']);
    assert.deepEqual(await open([{ where: local }]), ['used']);
    await change(tested, 'is_active = false');
    const inactive = await open([{ where: local }], version + 1);
    assert.deepEqual(inactive, ['stale'], 'an inactive client');
    await change(tested, 'is_active = true');
    await asBefore(tested);
  },
};
