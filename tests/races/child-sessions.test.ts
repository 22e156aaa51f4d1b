import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { SessionId, UserId } from '@keywright/contract/ids';
import {
  endFamily,
  endSessionsOf,
} from '@keywright/server/modules/tokens/sessions/administration-store';
import {
  redeemAll,
  redeemArguments,
  rotateAll,
} from '@keywright/server/modules/tokens/sessions/session-store';
import { callWithin } from '@keywright/server/platform/db/calls';
import type { TenantTx } from '@keywright/server/tenancy/gate';
import { CLIENT, type Families, KID, startFamilies } from '../harness/family.ts';
import { parallel } from '../harness/parallel.ts';
import { raceServers } from '../harness/race-servers.ts';
import { seededRandom } from '../harness/random.ts';
import { openClientSessions } from '../../server/sql/tokens/kw_open_client_sessions.ts';
import { refreshSessions } from '../../server/sql/tokens/kw_refresh_sessions.ts';

/** Sessions of one parent that are opened while it ends. */
const CHILDREN = 8;
const USERS = 6;

/** How a parent ends. */
const ENDINGS = {
  'by itself': (tx: TenantTx, _userId: UserId, parent: SessionId): Promise<unknown> =>
    endFamily(tx, parent, 'logout'),
  'with all sessions of its user': (tx: TenantTx, userId: UserId): Promise<unknown> =>
    endSessionsOf(tx, userId, 'revoked'),
} as const;

for (const { name, isThorough, start } of raceServers()) {
  describe(`child sessions, on ${name}`, () => {
    let families: Families;

    before(async () => {
      families = await startFamilies(start);
    });

    after(() => families.close());

    /** Counts the active child sessions of those parents that have ended. */
    async function countOrphans(parents: readonly SessionId[]): Promise<number | undefined> {
      const [row] = await families.keywright.database.query<{ n: number }>(
        `SELECT count(*)::integer AS n FROM sessions child
          WHERE child.is_active AND child.parent_id = ANY ($1) AND NOT EXISTS (
            SELECT FROM sessions parent WHERE parent.tenant_id = child.tenant_id
               AND parent.id = child.parent_id AND parent.is_active)`,
        [parents],
      );
      return row?.n;
    }

    for (const [how, end] of Object.entries(ENDINGS)) {
      test(`Child sessions opened while their parent ends ${how} end with it`, async () => {
        const userId = await families.newUser();
        const parent = await families.open(userId, 'browser');
        const child = await families.draft(userId, parent);
        await families.amid(
          async (tx) => {
            const [row] = await callWithin(tx, openClientSessions, redeemArguments([child]));
            assert.equal(row?.outcome, 'opened');
          },
          () => families.inTenant((tx) => end(tx, userId, parent)),
        );
        assert.equal(await countOrphans([parent]), 0);
        const rows = await families.keywright.database.query<{
          is_active: boolean;
          end_reason: string;
        }>('SELECT is_active, end_reason FROM sessions WHERE id = ANY ($1)', [[parent, child.id]]);
        const reason = how === 'by itself' ? 'logout' : 'revoked';
        const ended = { is_active: false, end_reason: reason };
        assert.deepEqual(rows, [ended, ended]);
      });

      test(`A child session is not opened from a parent that is ending ${how}`, async () => {
        const userId = await families.newUser();
        const parent = await families.open(userId, 'browser');
        const outcome = await families.amid(
          (tx) => end(tx, userId, parent),
          () => families.openChild(userId, parent),
        );
        assert.equal(outcome.outcome, 'refused');
        assert.equal(await countOrphans([parent]), 0);
      });
    }

    /** A child of a new browser session, and how to refresh it. */
    async function newChild() {
      const userId = await families.newUser();
      const parent = await families.open(userId, 'browser');
      const presented = randomBytes(32);
      const child = await families.openChild(userId, parent, { secretHash: presented });
      const now = new Date();
      const rotation = {
        tenantId: families.tenantId,
        sessionId: child.id,
        client: { id: CLIENT, version: 1 },
        presented,
        next: randomBytes(32),
        kid: KID,
        now,
        expiresAt: new Date(now.getTime() + 60_000),
        retrySeconds: 30,
        readsMetadata: false,
      };
      return { userId, parent, rotation };
    }

    for (const [how, end] of Object.entries(ENDINGS)) {
      test(`Child sessions refreshed while their parent ends ${how} end with it`, async () => {
        const { userId, parent, rotation } = await newChild();
        await families.amid(
          async (tx) => {
            const [row] = await callWithin(tx, refreshSessions, {
              tenants: [rotation.tenantId],
              sessions: [rotation.sessionId],
              presented: [rotation.presented],
              next: [rotation.next],
              kids: [rotation.kid],
              issuedAt: [rotation.now],
              expiresAt: [rotation.expiresAt],
              retrySeconds: [rotation.retrySeconds],
              clients: [rotation.client.id],
              clientVersions: [rotation.client.version],
              metadata: [rotation.readsMetadata],
            });
            assert.equal(row?.outcome, 'rotated');
          },
          () => families.inTenant((tx) => end(tx, userId, parent)),
        );
        assert.equal(await countOrphans([parent]), 0);
      });

      test(`A child session is not refreshed after waiting for a parent that is ending ${how}`, async () => {
        const { userId, parent, rotation } = await newChild();
        const rows = await families.amid(
          (tx) => end(tx, userId, parent),
          () => rotateAll(families.gate, [rotation]),
        );
        assert.deepEqual(
          rows.map(({ outcome }) => outcome),
          ['ended'],
        );
      });
    }

    test('The caller that ends a parent session gets each of its ended child sessions once', async () => {
      const userId = await families.newUser();
      const parent = await families.open(userId, 'browser');
      const other = await families.open(userId, 'browser');
      const children = await parallel(3, () => families.openChild(userId, parent));
      const outliving = await families.openChild(userId, parent, { endsWithLogin: false });
      const apart = [(await families.openChild(userId, other)).id, outliving.id, other];
      const ended = await families.inTenant((tx) => endFamily(tx, parent, 'logout'));
      const idsOf = ({
        session,
        children: those,
      }: NonNullable<Awaited<ReturnType<typeof endFamily>>>) =>
        [session, ...those].map(({ id }) => id).toSorted();
      const family = [parent, ...children.map(({ id }) => id)];
      assert.deepEqual(ended && idsOf(ended), family.toSorted());
      assert.equal(await families.inTenant((tx) => endFamily(tx, parent, 'logout')), undefined);
      const all = await families.inTenant((tx) => endSessionsOf(tx, userId, 'revoked'));
      const left = all.map(({ id }) => id);
      for (const id of apart) assert.ok(left.includes(id));
      assert.equal(new Set(left).size, left.length);
      for (const { id } of children) assert.ok(!left.includes(id));
    });

    test("Child sessions excepted when all of a user's sessions end still end with their parent", async () => {
      const userId = await families.newUser();
      const login = await families.open(userId, 'api');
      const parent = await families.open(userId, 'browser');
      const endAllBut = async (id: SessionId) => {
        const ended = await families.inTenant((tx) => endSessionsOf(tx, userId, 'revoked', id));
        return ended.map((session) => session.id);
      };
      assert.ok(!(await endAllBut(login)).includes(login));
      const next = await families.open(userId, 'browser');
      const child = await families.openChild(userId, next);
      assert.ok((await endAllBut(child.id)).includes(child.id));
      assert.equal(await countOrphans([parent, next]), 0);
    });

    test('A child session can have only an active browser session of the same user as its parent', async () => {
      const [ana, ben] = [await families.newUser(), await families.newUser()];
      const parent = await families.open(ana, 'browser');
      const child = await families.openChild(ana, parent);
      const login = await families.open(ana, 'api');
      const outcomes = await Promise.all(
        [
          families.openChild(ben, parent),
          families.openChild(ana, child.id),
          families.openChild(ana, login),
          families.openChild(ana, 'session:unknown' as SessionId),
          families.openChild(ana, parent),
        ].map(async (opening) => (await opening).outcome),
      );
      assert.deepEqual(outcomes, ['refused', 'refused', 'refused', 'refused', 'opened']);
    });

    test('Child sessions opened in batches while their parents end are all ended, and there is no deadlock', async () => {
      const random = seededRandom();
      const users = await parallel(USERS, families.newUser);
      const rounds = isThorough ? 30 : 8;
      for (let round = 0; round < rounds; round += 1) {
        const parents = await parallel(2 * USERS, async (index) => {
          const userId = users[index % USERS] as UserId;
          return { userId, id: await families.open(userId, 'browser') };
        });
        const drafts = await Promise.all(
          parents
            .flatMap((parent) => Array.from({ length: CHILDREN }, () => parent))
            .map(({ userId, id }) => families.draft(userId, id)),
        );
        const mixed = random.shuffled(drafts);
        const half = mixed.length / 2;
        const batches = [mixed.slice(0, half), mixed.slice(half)];
        const endings = random
          .shuffled(parents)
          .map(({ userId, id }, index) =>
            families.inTenant<unknown>((tx) =>
              index % 3 === 0 ? endSessionsOf(tx, userId, 'revoked') : endFamily(tx, id, 'logout'),
            ),
          );
        await Promise.all([
          ...batches.map(async (batch) =>
            Promise.all((await redeemAll(families.gate, batch)).map(async (row) => row)),
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
