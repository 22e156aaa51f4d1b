// Two tenants on one node whose requests share statements: a credential of one is revoked while all are used.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { GRANT_TYPE } from '@keywright/contract/routes/token';
import { clientParameters } from '../harness/delegation.ts';
import { type Answer, type JsonBody, expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { type Random, seededRandom } from '../harness/random.ts';
import { type Statements, watchStatements } from '../harness/statements.ts';
import type { TestAgent, TestTenant, TestUser } from '../harness/tenant.ts';
import { getToken } from '../harness/token-endpoint.ts';
import { requestDuring } from './request-during.ts';

const LOGOUTS = 24;
const ROUNDS = 12;
const INVALID = '401 TOKEN_INVALID';
/** The number of requests with each credential, all sent concurrently right after the end. */
const TIMES = 4;

/** A credential, and the subject that it identifies. */
interface Shown {
  readonly at: TestTenant;
  readonly token: string;
  readonly subject: string;
  /** The token of a caller who can also verify it; undefined if the whole tenant ends. */
  readonly witness: string | undefined;
}

interface Home {
  readonly tenant: TestTenant;
  readonly user: TestUser;
  readonly agent: TestAgent;
  /** Credentials of its user and its agent, which remain active throughout. */
  readonly living: readonly Shown[];
}

/** A revoked credential, and the code for its use. */
interface Over {
  readonly ended: readonly Shown[];
  readonly refusal: string;
}

/** What is revoked in a round, and how. */
interface Ending extends Over {
  readonly end: () => Promise<Answer<JsonBody>>;
  readonly living: readonly Shown[];
}

let keywright: Keywright;
let random: Random;
let statements: Statements;
let homes: Home[];

before(async () => {
  keywright = await startKeywright();
  random = seededRandom();
  homes = [await settle('one'), await settle('two')];
  statements = watchStatements();
});

after(async () => {
  statements.stop();
  await keywright.close();
});

async function settle(slug: string): Promise<Home> {
  const tenant = await keywright.tenant(slug, { config: { login_attempts_limit: 10_000 } });
  const user = await tenant.createUser();
  const agent = await tenant.createAgent();
  const { token } = user;
  const session = { at: tenant, token, subject: user.user.id, witness: token };
  return { tenant, user, agent, living: [session, ...(await machineOf(tenant, agent, token))] };
}

/** A new session of the tenant's user. */
async function newSession({ tenant, user }: Home): Promise<Shown> {
  const { access_token: token } = await tenant.login(user.identifier, user.password);
  return { at: tenant, token, subject: user.user.id, witness: user.token };
}

/** The key of an agent, and a token that it got for it. */
async function machineOf(
  at: TestTenant,
  agent: TestAgent,
  witness: string | undefined,
): Promise<Shown[]> {
  const parameters = { grant_type: GRANT_TYPE.clientCredentials, ...clientParameters(agent) };
  const tokens = [agent.key, await getToken(at, parameters)];
  const { id: subject } = agent.agent;
  return tokens.map((token) => ({ at, token, subject, witness }));
}

async function change(tenant: TestTenant, path: string, body?: object): Promise<Answer<JsonBody>> {
  const token = await tenant.adminToken();
  return tenant.request(body ? 'PATCH' : 'DELETE', path, { token, ...(body && { body }) });
}

type CheckAnswer = Answer<JsonBody> & { readonly by: Shown; readonly isAbout: boolean };

/** Uses a credential, or has a witness verify it. */
async function check(by: Shown): Promise<CheckAnswer> {
  const { at, token, witness } = by;
  if (witness === undefined || random.between(0, 3) > 0) {
    return { ...(await at.request('GET', '/me', { token })), by, isAbout: false };
  }
  const options = { token: witness, body: { token } };
  return { ...(await at.request('POST', '/auth/verify-token', options)), by, isAbout: true };
}

/** Returns the owner as far as the response discloses it: `200 org_one user:1`. */
function resultOf({ status, body }: CheckAnswer): string {
  const { tenant_id: tenantId, id, sub, code } = body as Record<string, string>;
  if (status === 200 && body['active'] === false) return '200 not active';
  return status === 200 ? `200 ${tenantId} ${id ?? sub}` : `${status} ${code}`;
}

/** Returns the correct results. @param isLate whether the request was sent after the response to the revocation */
function expectedResults(
  { by, isAbout }: CheckAnswer,
  { ended, refusal }: Over,
  isLate: boolean,
): string[] {
  const right = `200 ${by.at.id} ${by.subject}`;
  if (!ended.includes(by)) return [right];
  const over = isAbout ? '200 not active' : refusal;
  // A node that is yet to be notified of its own change to a tenant rejects the tenant's credentials.
  return isLate ? [over] : [right, over, INVALID];
}

function assertCorrect(answer: CheckAnswer, over: Over, isLate: boolean): void {
  const expected = expectedResults(answer, over, isLate);
  const found = resultOf(answer);
  assert.ok(expected.includes(found), `${found} for ${expected.join()}, seed ${random.seed}`);
}

/** All concurrently, several times. */
async function checkTogether(over: Over, lasting: readonly Shown[]): Promise<void> {
  const all = Array.from({ length: TIMES }, () => [...over.ended, ...lasting]).flat();
  const answers = await Promise.all(random.shuffled(all).map(check));
  for (const answer of answers) assertCorrect(answer, over, true);
}

/** Uses all credentials repeatedly while some end, and all of them together once the end is acknowledged. */
async function assertEachIsCorrect(ending: Ending, others: readonly Shown[]): Promise<void> {
  const { ended, living, end } = ending;
  const lasting = random.shuffled([...living, ...others]);
  const shownBy = (asker: number) => {
    const among = asker % 2 === 0 ? ended : lasting;
    return among[Math.floor(asker / 2) % among.length] as Shown;
  };
  const meanwhile = await requestDuring(
    (asker) => check(shownBy(asker)),
    async () => expectStatus(200, await end()),
  );
  for (const { isLate, answer } of meanwhile) assertCorrect(answer, ending, isLate);
  await checkTogether(ending, lasting);
}

/** How many statements of these names covered several tenants. */
function countMixed(...names: readonly string[]): number {
  const values = names.flatMap((name) => statements.valuesOf(name));
  return values.filter(([tenants]) => new Set(tenants as string[]).size > 1).length;
}

/** Runs the rounds, in which the tenants take turns. */
async function alternate(
  rounds: number,
  prepare: (home: Home) => Promise<Ending>,
  ...names: readonly string[]
): Promise<void> {
  const mixedBefore = countMixed(...names);
  for (let round = 0; round < rounds; round += 1) {
    const [home, other] = round % 2 === 0 ? homes : homes.toReversed();
    await assertEachIsCorrect(await prepare(home as Home), (other as Home).living);
  }
  assert.ok(countMixed(...names) - mixedBefore >= rounds, 'they shared statements');
}

describe('among active ones, in statements that both tenants share,', () => {
  test('A session that was logged out is rejected, and no other caller that shares its statements is (SPEC service 6)', async () => {
    const prepare = async (home: Home): Promise<Ending> => {
      const session = await newSession(home);
      const { at, token } = session;
      const end = () => at.request('POST', '/auth/logout', { token });
      return { ended: [session], end, refusal: INVALID, living: home.living };
    };
    await alternate(LOGOUTS, prepare, 'kw_live_grants');
  });

  test('A key that was revoked is rejected with its tokens, and no other caller that shares its statements is (SPEC service 6)', async () => {
    const prepare = async ({ tenant, agent, user, living }: Home): Promise<Ending> => {
      const key = await tenant.createApiKey(agent.agent.id);
      const ended = await machineOf(tenant, { ...agent, ...key }, user.token);
      const end = () => change(tenant, `/apikeys/${key.record.id}`);
      return { ended, end, refusal: INVALID, living };
    };
    await alternate(ROUNDS, prepare, 'kw_live_grants', 'kw_find_api_keys');
  });

  test('An agent that was deactivated is rejected, and no other caller that shares its statements is (SPEC states apikey 4)', async () => {
    const prepare = async ({ tenant, user, living }: Home): Promise<Ending> => {
      const agent = await tenant.createAgent();
      const ended = await machineOf(tenant, agent, user.token);
      const end = () => change(tenant, `/agents/${agent.agent.id}`, { is_active: false });
      return { ended, end, refusal: INVALID, living };
    };
    await alternate(ROUNDS, prepare, 'kw_live_grants', 'kw_find_api_keys');
  });

  test('A tenant that was deactivated is rejected, and no other caller that shares its statements is (SPEC service 6)', async () => {
    const asleep = await settle('asleep');
    const setActive = (isActive: boolean) =>
      change(keywright.home, `/tenants/${asleep.tenant.id}`, { is_active: isActive });
    const prepare = async (home: Home): Promise<Ending> => {
      expectStatus(200, await setActive(true));
      // Every token that could verify it ends as well.
      const session = { ...(await newSession(asleep)), witness: undefined };
      const ended = [session, ...(await machineOf(asleep.tenant, asleep.agent, undefined))];
      const end = () => setActive(false);
      return { ended, end, refusal: '403 TENANT_INACTIVE', living: home.living };
    };
    await alternate(ROUNDS, prepare, 'kw_live_grants', 'kw_find_api_keys');
  });

  test('Tokens issued before a change are rejected, and later ones are not, when verified together (SPEC service 6)', async () => {
    const people = await Promise.all(homes.map(({ tenant }) => tenant.createUser()));
    const refreshTokens = people.map(({ refreshToken }) => refreshToken);
    const tokensOf = async (): Promise<Shown[]> => {
      const found = homes.map(async ({ tenant: at, agent }, index) => {
        const body = { refresh_token: refreshTokens[index] };
        const refreshed = await at.request<TokenAnswer>('POST', '/auth/refresh', { body });
        const { access_token: token, refresh_token: next } = expectStatus(200, refreshed);
        refreshTokens[index] = next;
        const subject = people[index]?.user.id ?? '';
        const [, machine] = await machineOf(at, agent, undefined);
        return [{ at, token, subject, witness: undefined }, machine as Shown];
      });
      return (await Promise.all(found)).flat();
    };
    let older = await tokensOf();
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [index, { tenant, agent }] of homes.entries()) {
        const roles = round % 2 === 0 ? ['admin'] : ['member'];
        expectStatus(200, await change(tenant, `/users/${people[index]?.user.id}`, { roles }));
        const scopes = [`read:round-${round}`];
        expectStatus(200, await change(tenant, `/agents/${agent.agent.id}`, { scopes }));
      }
      const newer = await tokensOf();
      await checkTogether({ ended: older, refusal: INVALID }, newer);
      older = newer;
    }
  });
});
