import assert from 'node:assert/strict';
import { findSignalStream } from '../../server/sql/oauth/kw_find_signal_stream.ts';
import { type Check, RECORDED, type Tested } from './function-check.ts';
import type { Seeded } from './seed.ts';
import { trigger } from './status-functions.ts';

/** The signals queued for the own tenant's stream, except the seeded one. */
const QUEUED = `(SELECT coalesce(array_agg(type || ' ' || coalesce(session_id, user_id) ORDER BY type, session_id), '{}')
                   FROM signal_deliveries WHERE tenant_id = $1 AND id <> 'set_' || tenant_id)`;
const DUE = 'SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED';
const ALL = `'{session-revoked,credential-change,account-disabled,account-enabled,account-purged}'`;

const reach = (whose: string) =>
  `UPDATE oauth_clients SET shared_signals = '${whose}'; UPDATE signal_streams SET events_delivered = ${ALL}`;

/** Returns the signals that a change by the own tenant queues, for a client that can receive them. */
function queuedBy(
  { local, entered, rows, value }: Tested,
  change: string,
  whose = 'all_users',
): Promise<unknown> {
  return entered(async () => {
    await rows(`(SELECT 1) AS t; ${reach(whose)}; ${change}; ${DUE}`);
    return value(QUEUED, local.tenantId);
  });
}

/** The database functions of shared signals. */
export const SIGNAL_FUNCTIONS: Readonly<Record<string, Check>> = {
  kw_signal: async (tested) => {
    const { local, foreign, entered, rows, value, deleteTenant } = tested;
    const signal = (
      whose: string,
      { user = local, session = null, client = null }: SignalOf = {},
      more = 'SELECT 1',
    ) =>
      entered(async () => {
        await rows(`(SELECT 1) AS t; ${reach(whose)}; ${more}`);
        const type = session === null ? 'account-disabled' : 'session-revoked';
        const call = `kw_signal($1, $2, $3, $4, $5, NULL, '{}')`;
        const userId = user.userId;
        await value(call, local.tenantId, type, userId, session, client);
        return value(QUEUED, local.tenantId);
      });
    const about = [`account-disabled ${local.userId}`];
    assert.deepEqual(await signal('none'), []);
    assert.deepEqual(await signal('all_users'), about);
    assert.deepEqual(await signal('own_users'), about, 'a consent');
    assert.deepEqual(await signal('own_users', {}, 'DELETE FROM consents'), []);
    assert.deepEqual(await signal('own_users', { user: foreign }), []);
    const off = `UPDATE signal_streams SET status = 'disabled'`;
    assert.deepEqual(await signal('all_users', {}, off), []);
    const inactive = 'UPDATE oauth_clients SET is_active = false';
    assert.deepEqual(await signal('all_users', {}, inactive), []);
    const session = 'session:one';
    const ended = [`session-revoked ${session}`];
    assert.deepEqual(await signal('own_users', { session }), [], 'a session of no user');
    assert.deepEqual(await signal('own_users', { session, client: clientOf(foreign) }), []);
    assert.deepEqual(await signal('own_users', { session, client: clientOf(local) }), ended);
    assert.deepEqual(await signal('all_users', { session }), ended);
    await deleteTenant();
    assert.deepEqual(await signal('all_users'), []);
  },

  kw_signal_initiator: async ({ local, foreign, value }) => {
    const by = async (actor: string, cause: string | null = null) => {
      await value(`set_config('keywright.actor', $1, true)`, actor);
      return value('kw_signal_initiator($1, $2)', local.userId, cause);
    };
    assert.deepEqual(
      [
        await by(''),
        await by(`user ${local.userId}`),
        await by(`user ${foreign.userId}`),
        await by('anonymous'),
        await by('system housekeeping'),
        await by(`user ${foreign.userId}`, 'logout'),
        await by(`user ${local.userId}`, 'code_reused'),
      ],
      [null, 'user', 'admin', 'user', 'system', 'user', 'policy'],
    );
  },

  kw_signal_session: trigger('kw_signal_session', async (tested) => {
    const { local } = tested;
    const expected = [`session-revoked ${local.sessionId}`];
    const off = 'UPDATE sessions SET is_active = false';
    assert.deepEqual(await queuedBy(tested, off), expected);
    assert.deepEqual(await queuedBy(tested, `${off}; ${off}`), expected);
    assert.deepEqual(await queuedBy(tested, off, 'own_users'), [], 'of no client');
    assert.deepEqual(await queuedBy(tested, `${off}, end_reason = 'replaced'`), []);
    const live = `UPDATE sessions SET absolute_expires_at = now() + interval '1 day'`;
    assert.deepEqual(await queuedBy(tested, `${live}; DELETE FROM sessions`), expected);
    assert.deepEqual(await queuedBy(tested, 'DELETE FROM sessions'), [], 'expired');
  }),

  kw_signal_user: trigger('kw_signal_user', async (tested) => {
    const { local } = tested;
    const off = 'UPDATE users SET is_active = false';
    const expected = [`account-disabled ${local.userId}`, `session-revoked ${local.sessionId}`];
    assert.deepEqual(await queuedBy(tested, off), expected);
    const on = 'UPDATE users SET is_active = true';
    assert.deepEqual(await queuedBy(tested, on), [], 'nothing new');
    assert.deepEqual(await queuedBy(tested, `${off}; ${DUE}; ${on}`), [
      expected[0],
      `account-enabled ${local.userId}`,
      expected[1],
    ]);
  }),

  kw_signal_changes: async (tested) => {
    const { local, foreign, entered, rows, value } = tested;
    const queued = (...events: readonly object[]) =>
      entered(async () => {
        await rows(`(SELECT 1) AS t; ${reach('own_users')}`);
        await value('kw_signal_changes($1, $2)', local.tenantId, JSON.stringify(events));
        return value(QUEUED, local.tenantId);
      });
    const changed = (fields: string[], { userId }: Seeded = local) => ({
      type: 'user.updated',
      data: { user_id: userId, fields },
    });
    const factor = { user_id: local.userId, type: 'totp' };
    const about = `credential-change ${local.userId}`;
    assert.deepEqual(await queued(changed(['metadata'])), []);
    assert.deepEqual(await queued(changed(['password'], foreign)), []);
    assert.deepEqual(await queued(changed(['password'])), [about]);
    const both = [
      { type: 'factor.added', data: factor },
      { type: 'factor.removed', data: factor },
    ];
    assert.deepEqual(await queued(...both), [about, about]);
    // The function that records an event calls kw_signal.
    const recorded = await entered(async () => {
      await rows(`(SELECT 1) AS t; ${reach('own_users')}`);
      const event = { id: 'evt_new', subject: local.userId, created_at: '2026-01-15T00:00:00Z' };
      const events = JSON.stringify([{ ...event, ...changed(['password']) }]);
      await value('kw_record($1, $2, $3)', local.tenantId, RECORDED, events);
      return value(QUEUED, local.tenantId);
    });
    assert.deepEqual(recorded, [about]);
  },

  kw_find_signal_stream: async ({ local, foreign, batch }) => {
    const streams = [
      [local, local],
      [local, foreign],
      [foreign, local],
      [foreign, foreign],
    ] as const;
    const found = await batch(
      findSignalStream,
      ...streams.map(([{ tenantId: tenant }, { tenantId: name }]) => ({
        tenant,
        stream: `stream_${name}`,
      })),
    );
    assert.deepEqual(
      found.map((row) => [row['place'], row['id']]),
      [
        [1, `stream_${local.tenantId}`],
        [4, `stream_${foreign.tenantId}`],
      ],
    );
  },
};

interface SignalOf {
  readonly user?: Seeded;
  readonly session?: string | null;
  readonly client?: string | null;
}

function clientOf({ tenantId }: Seeded): string {
  return `client_${tenantId}`;
}
