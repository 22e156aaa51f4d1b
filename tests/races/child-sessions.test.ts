import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { SessionId, UserId } from '@keywright/contract/ids';
import {
  type EndedFamily,
  endSession,
  endSessionsOf,
} from '@keywright/server/modules/tokens/sessions/end-store';
import {
  insertSessionOfNew,
  insertSessions,
} from '@keywright/server/modules/tokens/sessions/store';
import type { TenantTx } from '@keywright/server/tenancy/gate';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { API, BROWSER, draftSession, ofClient } from '../harness/family.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { parallel } from '../harness/parallel.ts';
import type { PostgresServer } from '../harness/postgres.ts';
import { raceServers } from '../harness/race-servers.ts';
import { seededRandom } from '../harness/random.ts';
import { openSessionParts } from '../harness/session-parts.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { until } from '../harness/until.ts';

/** Sessions of one parent that are opened while it ends. */
const CHILDREN = 8;
const USERS = 6;

/** How a parent ends. */
const ENDINGS = {
  'by itself': (tx: TenantTx, _userId: UserId, parent: SessionId): Promise<unknown> =>
    endSession(tx, parent, 'logout'),
  'with all sessions of its user': (tx: TenantTx, userId: UserId): Promise<unknown> =>
    endSessionsOf(tx, userId, 'revoked'),
} as const;

for (const { name, isThorough, start } of raceServers()) {
  describe(`sessions that were opened from others, on ${name}`, () => {
    let server: PostgresServer | undefined;
    let keywright: Keywright;
    let tenant: TestTenant;
    let opened: Awaited<ReturnType<typeof openSessionParts>>;

    before(async () => {
      server = await start();
      const masterKey = randomBytes(32).toString('base64');
      keywright = await startKeywright({ server, env: { KEYWRIGHT_MASTER_KEY: masterKey } });
      tenant = await keywright.tenant('families');
      opened = await openSessionParts(keywright.database.url, masterKey);
    });

    after(async () => {
      await opened.close();
      await keywright.close();
      await server?.close();
    });

    const inTenant = <T>(work: (tx: TenantTx) => Promise<T>) =>
      opened.parts.gate.into(tenant.id).transaction(work);

    async function newUser(): Promise<UserId> {
      const { user } = await tenant.login(newIdentifier(), newPassword(), {
        extra: { register: true },
      });
      return user.id;
    }

    async function open(userId: UserId, use: Parameters<typeof draftSession>[3]) {
      const draft = await draftSession(opened.parts, tenant.id, userId, use);
      const [row] = await insertSessions(opened.parts.gate, [draft]);
      return { id: draft.id, outcome: (await row)?.outcome };
    }

    /** Living sessions that were opened from those of these that are over. */
    async function countOrphans(parents: readonly SessionId[]): Promise<number | undefined> {
      const [row] = await keywright.database.query<{ n: number }>(
        `SELECT count(*)::integer AS n FROM sessions child
          WHERE child.is_active AND child.parent_id = ANY ($1) AND NOT EXISTS (
            SELECT FROM sessions parent WHERE parent.tenant_id = child.tenant_id
               AND parent.id = child.parent_id AND parent.is_active)`,
        [parents],
      );
      return row?.n;
    }

    /** Whether some transaction of the database waits for another one. */
    async function isSomeoneWaiting(): Promise<boolean> {
      const rows = await keywright.database.query(
        `SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`,
      );
      return rows.length > 0;
    }

    /** Does `first` in a transaction that commits once `second` has come to an end, or waits for it. */
    async function amid<T>(first: (tx: TenantTx) => Promise<unknown>, second: () => Promise<T>) {
      let other: Promise<T> | undefined;
      await inTenant(async (tx) => {
        await first(tx);
        let isOver = false;
        other = second().finally(() => {
          isOver = true;
        });
        other.catch(() => undefined);
        await until(
          'the second one waits, or is through',
          async () => isOver || (await isSomeoneWaiting()),
        );
      });
      return other as Promise<T>;
    }

    for (const [how, end] of Object.entries(ENDINGS)) {
      test(`one that is being opened while its parent ends ${how} ends with it`, async () => {
        const userId = await newUser();
        const parent = await open(userId, BROWSER);
        const child = await draftSession(opened.parts, tenant.id, userId, ofClient(parent.id));
        await amid(
          async (tx) => assert.equal((await insertSessionOfNew(tx, child)).outcome, 'opened'),
          () => inTenant((tx) => end(tx, userId, parent.id)),
        );
        assert.equal(await countOrphans([parent.id]), 0);
        const rows = await keywright.database.query<{ is_active: boolean; end_reason: string }>(
          'SELECT is_active, end_reason FROM sessions WHERE id = ANY ($1)',
          [[parent.id, child.id]],
        );
        const reason = how === 'by itself' ? 'logout' : 'revoked';
        const ended = { is_active: false, end_reason: reason };
        assert.deepEqual(rows, [ended, ended]);
      });

      test(`a parent that is ending ${how} opens nothing more`, async () => {
        const userId = await newUser();
        const parent = await open(userId, BROWSER);
        const outcome = await amid(
          (tx) => end(tx, userId, parent.id),
          () => open(userId, ofClient(parent.id)),
        );
        assert.equal(outcome.outcome, 'refused');
        assert.equal(await countOrphans([parent.id]), 0);
      });
    }

    test('whoever ends the parent is told of all that ended with it, once each', async () => {
      const userId = await newUser();
      const parent = await open(userId, BROWSER);
      const other = await open(userId, BROWSER);
      const children = await parallel(3, () => open(userId, ofClient(parent.id)));
      const apart = [
        await open(userId, ofClient(other.id)),
        await open(userId, ofClient(null)),
        other,
      ];
      const ended = await inTenant((tx) => endSession(tx, parent.id, 'logout'));
      const idsOf = ({ session, children: those }: EndedFamily) =>
        [session, ...those].map(({ id }) => id).toSorted();
      assert.deepEqual(ended && idsOf(ended), [parent, ...children].map(({ id }) => id).toSorted());
      assert.equal(await inTenant((tx) => endSession(tx, parent.id, 'logout')), undefined);
      const all = await inTenant((tx) => endSessionsOf(tx, userId, 'revoked'));
      const left = all.map(({ id }) => id);
      for (const { id } of apart) assert.ok(left.includes(id));
      assert.equal(new Set(left).size, left.length);
      for (const { id } of children) assert.ok(!left.includes(id));
    });

    test('a parent is a living browser session of the same user, and of nobody else', async () => {
      const [ana, ben] = [await newUser(), await newUser()];
      const parent = await open(ana, BROWSER);
      const child = await open(ana, ofClient(parent.id));
      const login = await open(ana, API);
      const outcomes = await Promise.all(
        [
          open(ben, ofClient(parent.id)),
          open(ana, ofClient(child.id)),
          open(ana, ofClient(login.id)),
          open(ana, ofClient('session:nobody' as SessionId)),
          open(ana, ofClient(parent.id)),
        ].map(async (one) => (await one).outcome),
      );
      assert.deepEqual(outcomes, ['refused', 'refused', 'refused', 'refused', 'opened']);
    });

    test('opening in batches and ending parents at once leaves none behind, and nobody deadlocks', async () => {
      const random = seededRandom();
      const users = await parallel(USERS, newUser);
      const rounds = isThorough ? 30 : 8;
      for (let round = 0; round < rounds; round += 1) {
        const parents = await parallel(2 * USERS, async (index) => {
          const userId = users[index % USERS] as UserId;
          return { userId, id: (await open(userId, BROWSER)).id };
        });
        const drafts = await Promise.all(
          parents
            .flatMap((parent) => Array.from({ length: CHILDREN }, () => parent))
            .map(({ userId, id }) => draftSession(opened.parts, tenant.id, userId, ofClient(id))),
        );
        const mixed = random.shuffled(drafts);
        const half = mixed.length / 2;
        const batches = [mixed.slice(0, half), mixed.slice(half)];
        const endings = random
          .shuffled(parents)
          .map(({ userId, id }, index) =>
            inTenant<unknown>((tx) =>
              index % 3 === 0 ? endSessionsOf(tx, userId, 'revoked') : endSession(tx, id, 'logout'),
            ),
          );
        await Promise.all([
          ...batches.map(async (batch) =>
            Promise.all((await insertSessions(opened.parts.gate, batch)).map(async (row) => row)),
          ),
          ...endings,
        ]);
        assert.equal(
          await countOrphans(parents.map(({ id }) => id)),
          0,
          `round ${round}, seed ${random.seed}`,
        );
      }
    });
  });
}
