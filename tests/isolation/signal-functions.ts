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
  { own, entered, rows, value }: Tested,
  change: string,
  whose = 'all_users',
): Promise<unknown> {
  return entered(async () => {
    await rows(`(SELECT 1) AS t; ${reach(whose)}; ${change}; ${DUE}`);
    return value(QUEUED, own.tenantId);
  });
}

/** The database functions of shared signals. */
export const SIGNAL_FUNCTIONS: Readonly<Record<string, Check>> = {
  kw_signal: async (tested) => {
    const { own, foreign, entered, rows, value, deleteOwn } = tested;
    const signal = (
      whose: string,
      { user = own, session = null, client = null }: SignalOf = {},
      more = 'SELECT 1',
    ) =>
      entered(async () => {
        await rows(`(SELECT 1) AS t; ${reach(whose)}; ${more}`);
        const type = session === null ? 'account-disabled' : 'session-revoked';
        const call = `kw_signal($1, $2, $3, $4, $5, NULL, '{}')`;
        const userId = user.userId;
        await value(call, own.tenantId, type, userId, session, client);
        return value(QUEUED, own.tenantId);
      });
    const about = [`account-disabled ${own.userId}`];
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
    assert.deepEqual(await signal('own_users', { session, client: clientOf(own) }), ended);
    assert.deepEqual(await signal('all_users', { session }), ended);
    await deleteOwn();
    assert.deepEqual(await signal('all_users'), []);
  },

  kw_signal_initiator: async ({ own, foreign, value }) => {
    const by = async (actor: string, cause: string | null = null) => {
      await value(`set_config('keywright.actor', $1, true)`, actor);
      return value('kw_signal_initiator($1, $2)', own.userId, cause);
    };
    assert.deepEqual(
      [
        await by(''),
        await by(`user ${own.userId}`),
        await by(`user ${foreign.userId}`),
        await by('anonymous'),
        await by('system housekeeping'),
        await by(`user ${foreign.userId}`, 'logout'),
        await by(`user ${own.userId}`, 'code_reused'),
      ],
      [null, 'user', 'admin', 'user', 'system', 'user', 'policy'],
    );
  },

  kw_signal_session: trigger('kw_signal_session', async (tested) => {
    const { own } = tested;
    const told = [`session-revoked ${own.sessionId}`];
    const off = 'UPDATE sessions SET is_active = false';
    assert.deepEqual(await queuedBy(tested, off), told);
    assert.deepEqual(await queuedBy(tested, `${off}; ${off}`), told);
    assert.deepEqual(await queuedBy(tested, off, 'own_users'), [], 'of no client');
    assert.deepEqual(await queuedBy(tested, `${off}, end_reason = 'replaced'`), []);
    const live = `UPDATE sessions SET absolute_expires_at = now() + interval '1 day'`;
    assert.deepEqual(await queuedBy(tested, `${live}; DELETE FROM sessions`), told);
    assert.deepEqual(await queuedBy(tested, 'DELETE FROM sessions'), [], 'expired');
  }),

  kw_signal_user: trigger('kw_signal_user', async (tested) => {
    const { own } = tested;
    const off = 'UPDATE users SET is_active = false';
    const told = [`account-disabled ${own.userId}`, `session-revoked ${own.sessionId}`];
    assert.deepEqual(await queuedBy(tested, off), told);
    const on = 'UPDATE users SET is_active = true';
    assert.deepEqual(await queuedBy(tested, on), [], 'nothing new');
    assert.deepEqual(await queuedBy(tested, `${off}; ${DUE}; ${on}`), [
      told[0],
      `account-enabled ${own.userId}`,
      told[1],
    ]);
  }),

  kw_signal_changes: async (tested) => {
    const { own, foreign, entered, rows, value } = tested;
    const queued = (...events: readonly object[]) =>
      entered(async () => {
        await rows(`(SELECT 1) AS t; ${reach('own_users')}`);
        await value('kw_signal_changes($1, $2)', own.tenantId, JSON.stringify(events));
        return value(QUEUED, own.tenantId);
      });
    const changed = (fields: string[], { userId }: Seeded = own) => ({
      type: 'user.updated',
      data: { user_id: userId, fields },
    });
    const factor = { user_id: own.userId, type: 'totp' };
    const about = `credential-change ${own.userId}`;
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
      const event = { id: 'evt_new', subject: own.userId, created_at: '2026-01-15T00:00:00Z' };
      const events = JSON.stringify([{ ...event, ...changed(['password']) }]);
      await value('kw_record($1, $2, $3)', own.tenantId, RECORDED, events);
      return value(QUEUED, own.tenantId);
    });
    assert.deepEqual(recorded, [about]);
  },

  kw_find_signal_stream: async ({ own, foreign, batch }) => {
    const streams = [
      [own, own],
      [own, foreign],
      [foreign, own],
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
        [1, `stream_${own.tenantId}`],
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
