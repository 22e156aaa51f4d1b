import assert from 'node:assert/strict';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import { exchangeOf, newClient, proofOf, refreshWith, UserBrowser } from '../harness/code-login.ts';
import { expectStatus } from '../harness/http.ts';
import { startKeywright } from '../harness/keywright.ts';
import { parallel } from '../harness/parallel.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { headerOf } from '../harness/token.ts';
import { postToken } from '../harness/token-endpoint.ts';
import { until } from '../harness/until.ts';
import { type Demanded, NODES, passTime, rotate, Scene, Verifier } from './key-rotation.ts';
import type { Figures, Run, Scenario } from './scenario.ts';

const ALGORITHMS = ['RS256', 'EdDSA'] as const;
/** Of each algorithm. */
const BROWSERS = 2;
/** Shorter than the lifetime of a code, which is a minute. */
const STEP_SECONDS = 20;
const VERIFIERS = 3;
const BASE_URL = 'https://id.example.com';
const LONG_SECONDS = 90 * 24 * 3600;

/** The application for an algorithm, and the ID tokens issued to it. */
interface Application {
  readonly algorithm: (typeof ALGORITHMS)[number];
  readonly client: CreatedOAuthClient;
  readonly tokens: string[];
}

interface Load {
  readonly applications: readonly Application[];
  readonly verifiers: readonly Verifier[];
  /** Logins of each browser. */
  readonly done: number[];
  isOver: boolean;
}

/** Requests to any node. */
function anyNodeOf(scene: Scene): TestTenant {
  const { tenant } = scene;
  const request: TestTenant['request'] = (method, path, options) =>
    tenant.request(method, path, { ...options, node: scene.anyNode() });
  return Object.assign(Object.create(tenant) as TestTenant, { request });
}

/** Logs in to the application repeatedly, and refreshes once after each login. Every verifier gets every ID token. */
async function logInRepeatedly(scene: Scene, load: Load, number: number): Promise<void> {
  const tenant = anyNodeOf(scene);
  const { algorithm, client, tokens } = load.applications[
    number % load.applications.length
  ] as Application;
  const issuer = `${BASE_URL}/t/${tenant.id}`;
  const browser = new UserBrowser(tenant, issuer, await scene.tenant.createUser());
  const demanded: Demanded = { algorithm, audience: client.id };
  while (!load.isOver) {
    const code = await browser.codeFor(client, { scope: 'openid offline_access' });
    const form = { ...exchangeOf(code), ...proofOf(client) };
    const login = expectStatus(200, await postToken(tenant, form));
    const again = expectStatus(200, await refreshWith(tenant, client, login.refresh_token));
    const older = tokens[scene.random.between(0, tokens.length)] ?? login.id_token;
    for (const token of [login.id_token, again.id_token]) tokens.push(token ?? '');
    for (const verifier of load.verifiers) {
      for (const token of [login.id_token, again.id_token, older]) {
        await verifier.verify(token ?? '', demanded);
      }
    }
    load.done[number] = (load.done[number] ?? 0) + 1;
  }
}

/** Waits until every browser has logged in, so that a code waits two steps at most for its exchange. */
async function everyoneLogsIn({ done }: Load): Promise<void> {
  const before = [...done];
  await until('every browser logs in', () =>
    done.every((count, index) => count > (before[index] ?? 0)),
  );
}

/** Signing keys of two algorithms are rotated while applications get ID tokens. */
export const idTokenKeys: Scenario = {
  name: 'id-token-keys',
  about:
    'keys of ID tokens rotated under load, on two nodes; a round is a rotation of each algorithm',
  rounds: 30,
  run: rotateUnderLogins,
};

export async function rotateUnderLogins(run: Run): Promise<Figures> {
  const env = { KEYWRIGHT_BASE_URL: BASE_URL };
  const keywright = await startKeywright({ nodes: NODES, clock: 'fake', env });
  try {
    const config = { login_attempts_limit: 10_000, refresh_token_absolute_ttl: LONG_SECONDS };
    const tenant = await keywright.tenant('loaded', { config });
    const scene = new Scene(keywright, tenant, run.random);
    const load: Load = {
      applications: await Promise.all(
        ALGORITHMS.map((algorithm) => applicationOf(tenant, algorithm)),
      ),
      verifiers: Array.from({ length: VERIFIERS }, () => new Verifier(scene)),
      done: Array.from({ length: ALGORITHMS.length * BROWSERS }, () => 0),
      isOver: false,
    };
    const browsers = parallel(load.done.length, (index) => logInRepeatedly(scene, load, index));
    try {
      return judge(load, await Promise.race([rotateAll(scene, load, run), rejected(browsers)]));
    } finally {
      load.isOver = true;
      await browsers;
    }
  } finally {
    await keywright.close();
  }
}

async function applicationOf(
  tenant: TestTenant,
  algorithm: Application['algorithm'],
): Promise<Application> {
  const client = await newClient(tenant, { id_token_signed_response_alg: algorithm });
  return { algorithm, client, tokens: [] };
}

/** Never resolves. @throws the error of the load */
async function rejected(load: Promise<unknown>): Promise<never> {
  await load;
  return new Promise(() => undefined);
}

/** @returns the keys of each algorithm in order of creation */
async function rotateAll(scene: Scene, load: Load, { random, rounds, say }: Run) {
  const step = { seconds: STEP_SECONDS, progress: () => everyoneLogsIn(load) };
  const pass = (seconds: number) => passTime(scene, load.verifiers, seconds, step);
  const kids = ALGORITHMS.map((): string[] => []);
  await pass(random.between(10, 90));
  for (let rotation = 0; rotation < rounds; rotation += 1) {
    for (const [index, algorithm] of ALGORITHMS.entries()) {
      kids[index]?.push((await rotate(scene, algorithm)).id);
      await pass(random.between(5, 60));
    }
    // The new keys sign 310 seconds after they were published.
    await pass(310 + random.between(0, 60));
    say(`${rotation + 1} of ${rounds}: ${load.done.reduce((sum, count) => sum + count)} logins`);
  }
  return kids;
}

function judge({ applications, verifiers, done }: Load, kids: readonly string[][]): Figures {
  const failures = verifiers.flatMap((verifier) => verifier.failures);
  assert.deepEqual(failures.slice(0, 5), [], `${failures.length} failures`);
  for (const [index, { algorithm, tokens }] of applications.entries()) {
    const used = [...new Set(tokens.map((token) => headerOf(token).kid))];
    assert.deepEqual(used.slice(1), kids[index], `each key of ${algorithm} has signed, in turn`);
  }
  const rotations = kids[0]?.length ?? 0;
  for (const { fetches } of verifiers) assert.ok(fetches > rotations, `${fetches} fetches`);
  const verified = verifiers.reduce((sum, verifier) => sum + verifier.verified, 0);
  const tokens = applications.reduce((sum, application) => sum + application.tokens.length, 0);
  assert.ok(verified > tokens);
  const logins = done.reduce((sum, count) => sum + count);
  return { rotations, logins, tokens, verified, failures: failures.length };
}
