import assert from 'node:assert/strict';
import { type Check, NOW, type Tested } from './function-check.ts';
import { trigger } from './status-functions.ts';

const URI = 'https://app.example.com/backchannel-logout';
/** The sessions queued for logout notifications in the own tenant, except the seeded one. */
const QUEUED = `(SELECT coalesce(array_agg(id || ' ' || queue_key ORDER BY id), '{}') FROM logout_deliveries
                  WHERE tenant_id = $1 AND id NOT LIKE 'session:ended%')`;
const DUE = 'SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED';

/** Returns the logouts that a change by the own tenant queues, for a client with a back-channel logout URI. */
function queuedBy({ local, entered, rows, value }: Tested, change: string): Promise<unknown> {
  return entered(async () => {
    const address = `UPDATE oauth_clients SET backchannel_logout_uri = '${URI}'`;
    await rows(`(SELECT 1) AS t; ${address}; ${change}; ${DUE}`);
    return value(QUEUED, local.tenantId);
  });
}

/** The database functions that notify applications of logouts. */
export const LOGOUT_FUNCTIONS: Readonly<Record<string, Check>> = {
  kw_queue_logout: async ({ local, foreign, entered, rows, value, deleteTenant }) => {
    const clientOf = ({ tenantId }: { readonly tenantId: string }) => `client_${tenantId}`;
    const queue = (client: string, uri: string | null) =>
      entered(async () => {
        const address = uri === null ? 'NULL' : `'${uri}'`;
        await rows(`(SELECT 1) AS t; UPDATE oauth_clients SET backchannel_logout_uri = ${address}`);
        for (let time = 0; time < 2; time += 1) {
          const call = 'kw_queue_logout($1, $2, $3, $4, $5)';
          await value(call, local.tenantId, 'session:new', local.userId, client, NOW);
        }
        return value(QUEUED, local.tenantId);
      });
    assert.deepEqual(await queue(clientOf(local), null), []);
    assert.deepEqual(await queue(clientOf(foreign), URI), []);
    assert.deepEqual(await queue('client_unknown', URI), []);
    assert.deepEqual(await queue(clientOf(local), URI), [`session:new ${clientOf(local)}`]);
    await deleteTenant();
    assert.deepEqual(await queue(clientOf(local), URI), []);
  },

  kw_notify_clients: trigger('kw_notify_clients', async (tested) => {
    const { local } = tested;
    const client = `client_${local.tenantId}`;
    const ofClient = `UPDATE sessions SET kind = 'client', client_id = '${client}', scopes = '{openid}'`;
    const expected = [`${local.sessionId} ${client}`];
    const off = 'UPDATE sessions SET is_active = false';
    assert.deepEqual(await queuedBy(tested, off), [], 'a direct login');
    assert.deepEqual(await queuedBy(tested, ofClient), [], 'a living session');
    assert.deepEqual(await queuedBy(tested, `${ofClient}; ${off}`), expected);
    assert.deepEqual(await queuedBy(tested, `${ofClient}; ${off}; ${off}`), expected);
    const live = `UPDATE sessions SET absolute_expires_at = now() + interval '1 day'`;
    assert.deepEqual(
      await queuedBy(tested, `${ofClient}; ${live}; DELETE FROM sessions`),
      expected,
    );
    assert.deepEqual(await queuedBy(tested, `${ofClient}; DELETE FROM sessions`), [], 'expired');
    // A session that outlives the browser session that opened it.
    const browser = `INSERT INTO sessions SELECT (jsonb_populate_record(s,
      '{"id": "session:browser", "kind": "browser", "client_id": null, "scopes": null, "refresh_kid": null,
        "status_idx": null, "status_version": null, "login_id": null}')).* FROM sessions s`;
    const opened = `${browser}; ${ofClient}, login_id = 'session:browser' WHERE id = '${local.sessionId}'`;
    const over = `${off} WHERE id = 'session:browser'`;
    assert.deepEqual(await queuedBy(tested, `${opened}; ${over}`), expected);
    assert.deepEqual(
      await queuedBy(tested, `${opened}; ${off} WHERE kind = 'client'; ${over}`),
      expected,
    );
  }),
};
