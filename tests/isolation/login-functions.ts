import assert from 'node:assert/strict';
import { type Check, NOW, RECORDED } from './function-check.ts';
import type { Seeded } from './seed.ts';

const LATER = new Date('2026-01-20T00:00:00Z');

const EVENT = JSON.stringify([
  {
    id: 'evt_new',
    type: 'user.login',
    subject: 'subject',
    data: { workspace_id: 'ws_default' },
    created_at: NOW,
  },
]);

/** One login of a batch: in which tenant, as whom, and to which workspace. */
export type Login = readonly [where: Seeded, whose: Seeded, to?: string];

/** The counters of these logins: each login has its own address, and all share this identifier. */
function attemptsOf(logins: readonly Login[], identifier: Buffer) {
  const places = logins.map((_, index) => index + 1);
  return [
    [...places, ...places],
    [...places.map((place) => Buffer.from(`address ${place}`)), ...places.map(() => identifier)],
  ];
}

/** The arguments of kw_start_logins; without devices. */
export function startedOf(logins: readonly Login[], identifier: Buffer, limit: number): unknown[] {
  const ofEach = <T>(constant: T) => logins.map(() => constant);
  return [
    logins.map(([where]) => where.tenantId),
    logins.map(([, whose]) => whose.identifier),
    ofEach(NOW),
    ofEach(null),
    ofEach(null),
    ...attemptsOf(logins, identifier),
    [...ofEach(limit), ...ofEach(limit)],
    [...ofEach(60), ...ofEach(60)],
    [...ofEach(0), ...ofEach(0)],
    [...ofEach(false), ...ofEach(false)],
  ];
}

/** The arguments of kw_finish_logins. @param predicted the workspace in the audit entry of a login that names none */
export function openedOf(
  logins: readonly Login[],
  identifier: Buffer,
  predicted?: string,
  /** That each login ends. */
  flow: { readonly id?: string; readonly version?: number; readonly challenge?: string } = {},
): unknown[] {
  const ofEach = <T>(constant: T) => logins.map(() => constant);
  return [
    logins.map(([where]) => where.tenantId),
    logins.map((_, index) => `session:new ${index}`),
    logins.map(([, whose]) => whose.userId),
    ofEach(0),
    ofEach(NOW),
    ofEach('aal1'),
    ofEach('pwd'),
    ofEach('api'),
    logins.map(([, , to]) => to ?? null),
    ofEach(null),
    ofEach('192.0.2.1'),
    ofEach(NOW),
    ofEach(LATER),
    ofEach(LATER),
    ofEach(Buffer.from('new')),
    ofEach('kid'),
    ofEach(50),
    logins
      .map(([where, , to], index) =>
        RECORDED.replace('aud_new', `aud_new_${index}`).replace(
          'ws_default',
          to ?? predicted ?? where.workspaceId,
        ),
      )
      .join('\n'),
    logins
      .map(([where, , to], index) =>
        EVENT.replace('evt_new', `evt_new_${index}`).replace(
          'ws_default',
          to ?? predicted ?? where.workspaceId,
        ),
      )
      .join('\n'),
    ...attemptsOf(logins, identifier),
    ofEach(flow.id ?? null),
    ofEach(flow.version ?? null),
    ofEach(flow.challenge ?? null),
  ];
}

/** A call with so many arguments. */
export function callOf(name: string, values: readonly unknown[]): string {
  return `${name}(${values.map((_, index) => `$${index + 1}`).join(', ')})`;
}

/** Returns which logins come from a known device: the first names its own user, the others another user or version. */
async function knownDevices(local: Seeded, foreign: Seeded, rows: Parameters<Check>[0]['rows']) {
  const logins: readonly Login[] = [
    [local, local],
    [local, foreign],
    [local, local],
    [local, local],
  ];
  const places = [1, 2, 3, 4];
  const values = startedOf(logins, Buffer.from('device'), 5);
  values.splice(
    3,
    8,
    [local.userId, foreign.userId, local.userId, foreign.userId],
    [0, 0, 1, 0],
    places,
    places.map((place) => Buffer.from(`device ${place}`)),
    places.map(() => 5),
    places.map(() => 60),
    places.map(() => 0),
    places.map(() => true),
  );
  const found = await rows(callOf('kw_start_logins', values), ...values);
  return found.map((row) => row['is_device_known']);
}

/** The database functions of logins, which batch the requests of many tenants. */
export const LOGIN_FUNCTIONS: Readonly<Record<string, Check>> = {
  kw_reject_row: async ({ entered, value }) => {
    await assert.rejects(
      entered(() => value('kw_reject_row()')),
      { code: '0A000' },
    );
  },

  kw_start_logins: async ({ local, foreign, rows }) => {
    const start = async (...logins: readonly Login[]) => {
      const values = startedOf(logins, Buffer.from('next'), 5);
      const found = await rows(callOf('kw_start_logins', values), ...values);
      return found.map((row) => Object.values(row));
    };
    const unknown = [null, false, null, null, null, null, null];
    const existing = [null, false, local.userId, true, 0, false, local.secretHash];
    // Each is looked up in the tenant of its request, whatever else is in the batch.
    const found = await start([local, foreign], [local, local], [local, foreign], [local, local]);
    assert.deepEqual(found, [unknown, existing, unknown, existing]);
    // Four attempts were counted for this identifier: the fifth is admitted, and the sixth is not.
    assert.deepEqual(await start([local, local], [local, local]), [
      existing,
      [60, false, null, null, null, null, null],
    ]);
    assert.deepEqual(await knownDevices(local, foreign, rows), [true, false, false, false]);
  },

  kw_finish_logins: async ({ local, foreign, rows, value }) => {
    const open = async (...logins: readonly Login[]) => {
      const values = openedOf(logins, foreign.subject);
      const opened = await rows(callOf('kw_finish_logins', values), ...values);
      return opened.map((row) => [row['outcome'], row['workspace_id'], row['scopes']]);
    };
    assert.deepEqual(
      await open(
        [local, foreign],
        [local, local, foreign.workspaceId],
        [local, local, local.workspaceId],
        [local, local],
        [local, foreign, foreign.workspaceId],
      ),
      [
        ['refused', null, []],
        ['workspace_unknown', null, []],
        ['opened', local.workspaceId, [`read:${local.role}`]],
        ['opened', local.workspaceId, [`read:${local.role}`]],
        ['refused', null, []],
      ],
    );
    // Only opened sessions are recorded, with their workspaces.
    const events = await value(
      `(SELECT array_agg(id || ' ' || (data->>'workspace_id') ORDER BY id)
          FROM events WHERE starts_with(id, 'evt_new'))`,
    );
    const inLocal = (id: string) => `${id} ${local.workspaceId}`;
    assert.deepEqual(events, [inLocal('evt_new_2'), inLocal('evt_new_3')]);
    const entries = await value(
      `(SELECT array_agg(e.id || ' ' || (details->>'workspace_id') ORDER BY e.id)
          FROM audit_entries e JOIN audit_unsealed USING (tenant_id, id) WHERE starts_with(e.id, 'aud_new'))`,
    );
    assert.deepEqual(entries, [inLocal('aud_new_2'), inLocal('aud_new_3')]);
    // Recorded entries are immutable: a login whose workspace differs is not opened.
    const values = openedOf([[local, local]], foreign.subject, 'ws_default');
    const [elsewhere] = await rows(callOf('kw_finish_logins', values), ...values);
    assert.deepEqual(
      [elsewhere?.['outcome'], elsewhere?.['workspace_id']],
      ['elsewhere', local.workspaceId],
    );
    const complete = async (flow: Parameters<typeof openedOf>[3]) => {
      const completed = openedOf([[local, local]], foreign.subject, local.workspaceId, flow);
      const [row] = await rows(callOf('kw_finish_logins', completed), ...completed);
      return row?.['outcome'];
    };
    const { flowId: id, challengeId: challenge } = local;
    assert.equal(await complete({ id: foreign.flowId, version: 0 }), 'refused');
    assert.equal(await complete({ id, version: 1, challenge }), 'refused', 'another version');
    const other = foreign.challengeId;
    assert.equal(await complete({ id, version: 0, challenge: other }), 'refused');
    assert.equal(await complete({ id, version: 0, challenge }), 'opened');
    assert.equal(await complete({ id, version: 0, challenge }), 'refused', 'it has ended');
    assert.deepEqual(
      await value(`(SELECT used_at IS NOT NULL FROM challenges WHERE id = '${challenge}')`),
      true,
    );
  },
};
