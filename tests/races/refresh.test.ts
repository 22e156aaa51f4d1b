import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { BEHIND_PROXY, fromAnotherAddress } from '../harness/addresses.ts';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { type Answer, expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { eventLoopIterations, parallel, pooled } from '../harness/parallel.ts';
import type { PostgresServer } from '../harness/postgres.ts';
import { raceServers } from '../harness/race-servers.ts';
import { type Random, seededRandom } from '../harness/random.ts';

const NODES = 2;
const TENANT = 'org_races';
const MOST_REFRESHES = 200;

type Refreshed = Answer<TokenAnswer & ErrorBody>;

interface SessionRow {
  readonly id: string;
  readonly generation: number;
  readonly is_active: boolean;
}

for (const { name, isThorough, start } of raceServers()) {
  describe(`refresh tokens in a race, on ${name}`, () => {
    let server: PostgresServer | undefined;
    let keywright: Keywright;
    let random: Random;

    before(async () => {
      server = await start();
      keywright = await startKeywright({ server, nodes: NODES, env: BEHIND_PROXY });
      await keywright.tenant('races', { config: { login_attempts_limit: 10_000 } });
      random = seededRandom();
    });

    after(async () => {
      await keywright.close();
      await server?.close();
    });

    function refresh(token: string, node: number): Promise<Refreshed> {
      const body = { refresh_token: token };
      return keywright.request('POST', '/auth/refresh', {
        node: node % NODES,
        tenant: TENANT,
        headers: fromAnotherAddress(),
        body,
      });
    }

    async function logIn(): Promise<TokenAnswer> {
      const options = { tenant: TENANT, extra: { register: true } };
      return keywright.login(newIdentifier(), newPassword(), options);
    }

    async function sessionsOf(login: TokenAnswer): Promise<SessionRow[]> {
      return keywright.database.query<SessionRow & Record<string, unknown>>(
        'SELECT id, generation, is_active FROM sessions WHERE tenant_id = $1 AND user_id = $2',
        [TENANT, login.user.id],
      );
    }

    async function countActive(): Promise<number | undefined> {
      const [row] = await keywright.database.query<{ n: number }>(
        'SELECT count(*)::integer AS n FROM sessions WHERE is_active',
      );
      return row?.n;
    }

    test('SPEC authentication 3: 64 parallel uses of one refresh token rotate it once', async () => {
      const families = isThorough ? 30 : 5;
      for (let family = 0; family < families; family += 1) {
        const login = await logIn();
        const answers = await parallel(64, (index) => refresh(login.refresh_token, index));

        for (const answer of answers) expectStatus(200, answer);
        const successors = new Set(answers.map((answer) => answer.body.refresh_token));
        assert.equal(successors.size, 1, 'distinct successors');
        assert.ok(!successors.has(login.refresh_token));
        const rows = await sessionsOf(login);
        assert.deepEqual(
          rows.map(({ generation, is_active }) => ({ generation, is_active })),
          [{ generation: 1, is_active: true }],
        );
        const [successor = ''] = successors;
        expectStatus(200, await refresh(successor, family));
      }
    });

    test('64 parallel uses of a token whose successor was used end the session once', async () => {
      const login = await logIn();
      const next = expectStatus(200, await refresh(login.refresh_token, 0));
      const newest = expectStatus(200, await refresh(next.refresh_token, 1));
      const answers = await parallel(64, (index) => refresh(login.refresh_token, index));
      const codes = answers.map((answer) => `${answer.status} ${answer.body.code}`);
      for (const code of codes) assert.match(code, /^401 (REFRESH_TOKEN_REUSED|TOKEN_INVALID)$/);
      assert.ok(codes.includes('401 REFRESH_TOKEN_REUSED'));
      assert.equal((await refresh(newest.refresh_token, 0)).status, 401);
    });

    /** Asserts that every token is revoked on every node, and was so before its use: no REFRESH_TOKEN_REUSED. */
    async function assertDead(accessTokens: readonly string[], refreshTokens: readonly string[]) {
      const uses = await parallel(NODES, (node) =>
        Promise.all([
          ...accessTokens.map((token) =>
            keywright.request<ErrorBody>('GET', '/me', { node, tenant: TENANT, token }),
          ),
          ...refreshTokens.map((token) => refresh(token, node)),
        ]),
      );
      for (const { status, body } of uses.flat()) {
        assert.equal(`${status} ${body.code}`, '401 TOKEN_INVALID');
      }
    }

    /** A client that refreshes as fast as possible, until rejected. */
    async function refreshUntilRefused(login: TokenAnswer, node: number): Promise<TokenAnswer[]> {
      const obtained: TokenAnswer[] = [];
      let token = login.refresh_token;
      while (obtained.length < MOST_REFRESHES) {
        const answer = await refresh(token, node + obtained.length);
        if (answer.status !== 200) {
          assert.equal(`${answer.status} ${answer.body.code}`, '401 TOKEN_INVALID');
          return obtained;
        }
        obtained.push(answer.body);
        token = answer.body.refresh_token;
      }
      return assert.fail(`${MOST_REFRESHES} refreshes and no end`);
    }

    /**
     * @param lead the head start of the refreshes over the logout, in turns of the event loop; negative: behind.
     * @returns the number of refreshes that returned tokens.
     */
    async function raceAgainstLogout(lead: number): Promise<number> {
      const login = await logIn();
      const refreshing = eventLoopIterations(-lead).then(() =>
        refreshUntilRefused(login, lead & 1),
      );
      await eventLoopIterations(lead);
      const loggingOut = { node: lead & 1, tenant: TENANT, token: login.access_token };
      expectStatus(200, await keywright.request('POST', '/auth/logout', loggingOut));
      // Immediately, while refreshes may still be under way.
      await assertDead([login.access_token], [login.refresh_token]);
      const obtained = await refreshing;
      await assertDead(
        obtained.map((tokens) => tokens.access_token),
        obtained.map((tokens) => tokens.refresh_token),
      );
      return obtained.length;
    }

    test('No token works after the 200 of a logout that races with a refresh', async () => {
      const activeBefore = await countActive();
      const leads = Array.from({ length: isThorough ? 1000 : 100 }, () => random.between(-6, 10));
      const obtained = await pooled(8, leads, raceAgainstLogout).catch((error: unknown) => {
        throw new Error(`seed ${random.seed}`, { cause: error });
      });
      assert.ok(obtained.includes(0), 'the logout came first at least once');
      assert.ok(Math.max(...obtained) > 0, 'a refresh came first at least once');
      assert.equal(await countActive(), activeBefore);
    });
  });
}
