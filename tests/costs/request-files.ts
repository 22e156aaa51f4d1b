import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { API_BASE, route } from '@keywright/contract/route';
import { closed } from '@keywright/contract/shape';
import { defineModule } from '@keywright/server/tenancy/module';
import Type from 'typebox';
import { PersistentConnection } from './exchange.ts';
import { APPLICATION_ROUTES } from './application-routes.ts';
import { DIRECT_ROUTES, PERSON, type Requests, type Scene } from './routes.ts';
import { newClient, requestOf } from '../harness/code-login.ts';
import { startKeywright } from '../harness/keywright.ts';
import { startPostgres } from '../harness/postgres.ts';
import { Visitor } from '../harness/visitor.ts';

const ROUTES = ['login', 'refresh', 'me, with a token', 'code exchange'] as const;
const WARM_UP = 3;
const ROUNDS = 5;

/**
 * The files of the service whose functions run during one warm request, by request. The shared pipeline is left out: the
 * files that run for the request of a feature without code of its own.
 */
export async function filesPerRequest(
  root: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const server = await startPostgres();
  const keywright = await startKeywright({ server, modules: [smallestFeature] });
  const coverage = await startCoverage(root);
  try {
    const tenant = await keywright.tenant('files');
    const scene: Scene = {
      tenant,
      issuer: `${keywright.nodes[0]?.baseUrl}/t/${tenant.id}`,
      connection: new PersistentConnection(keywright.url),
      query: (...args) => keywright.database.query(...args),
    };
    await tenant.login(PERSON.identifier, PERSON.secret, { extra: { register: true } });
    const shared = await filesOfRoute(coverage, scene, smallestRequest(scene));
    const found = new Map<string, ReadonlySet<string>>();
    for (const name of ROUTES) {
      const prepare = { ...DIRECT_ROUTES, ...APPLICATION_ROUTES }[name];
      if (!prepare) throw new Error(`tests/costs has no route "${name}".`);
      found.set(name, await filesOfRoute(coverage, scene, await prepare(scene)));
    }
    found.set('hosted login', await filesOfHostedLogin(coverage, scene));
    scene.connection.close();
    return new Map(
      [...found].map(([name, files]) => [name, [...files.difference(shared)].toSorted()]),
    );
  } finally {
    await coverage.stop();
    await keywright.close();
    await server.close();
  }
}

const smallestRoute = route({
  id: 'report.smallest',
  method: 'POST',
  path: `${API_BASE}/report/smallest`,
  access: 'tenant',
  summary: 'Runs one transaction',
  body: closed({ text: Type.String({ maxLength: 8 }) }),
  ok: { status: 200, body: closed({ text: Type.String() }) },
  errors: [],
});

/** A feature that only opens a transaction: the files that its request runs are the shared pipeline. */
const smallestFeature = defineModule('smallest', ({ gate }) => ({
  routes(router) {
    router.add(smallestRoute, ({ tenant, body }) =>
      gate.into(tenant.id).transaction(() => Promise.resolve(body)),
    );
  },
}));

function smallestRequest({ tenant }: Scene): Requests {
  const body = JSON.stringify({ text: 'x' });
  const headers = {
    'x-tenant-id': tenant.id,
    'content-type': 'application/json',
    'content-length': String(body.length),
  };
  return { next: () => ({ method: 'POST', path: smallestRoute.path, headers, body }) };
}

async function filesOfRoute(
  coverage: Coverage,
  { connection }: Scene,
  { next, hear }: Requests,
): Promise<ReadonlySet<string>> {
  const rounds: ReadonlySet<string>[] = [];
  while (rounds.length < WARM_UP + ROUNDS) {
    const request = await next();
    const files = await coverage.during(async () => {
      const answer = await connection.request(request);
      hear?.(answer);
    });
    rounds.push(files);
  }
  return inEach(rounds.slice(WARM_UP));
}

/** The login form's request, up to the redirect to the application. */
async function filesOfHostedLogin(
  coverage: Coverage,
  { tenant, issuer }: Scene,
): Promise<ReadonlySet<string>> {
  const client = await newClient(tenant, { first_party: true });
  const rounds: ReadonlySet<string>[] = [];
  while (rounds.length < WARM_UP + ROUNDS) {
    const browser = new Visitor(tenant, issuer);
    await browser.authorize(requestOf(client));
    const files = await coverage.during(async () => {
      const { redirectsTo } = await browser.press('login', PERSON);
      if (!redirectsTo?.searchParams.has('code')) throw new Error(`no code: ${browser.seen.title}`);
    });
    rounds.push(files);
  }
  return inEach(rounds.slice(WARM_UP));
}

/** Background work runs during some of the rounds. */
function inEach([
  first = new Set(),
  ...others
]: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  return others.reduce((common, files) => common.intersection(files), first);
}

interface Range {
  readonly startOffset: number;
  readonly count: number;
}

interface Coverage {
  /** The files of the service whose functions run during one warm request, by request. The shared pipeline is left out: the
   * files that run for the request of a feature without code of its own.
   */
  during(work: () => Promise<void>): Promise<ReadonlySet<string>>;
  stop(): Promise<void>;
}

async function startCoverage(root: string): Promise<Coverage> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const take = async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const run = result.filter(({ url, functions }) => {
      return url.startsWith('file:') && functions.some(ranFunction);
    });
    const files = run.map(({ url }) => fileURLToPath(url).slice(root.length));
    return new Set(files.filter((file) => /^(server|contract)\/src\//.test(file)));
  };
  return {
    async during(work) {
      await take();
      await work();
      return take();
    },
    async stop() {
      await session.post('Profiler.stopPreciseCoverage');
      session.disconnect();
    },
  };
}

/** Whether a function other than the module itself ran. */
function ranFunction({ ranges: [range] }: { readonly ranges: readonly Range[] }): boolean {
  return range !== undefined && range.startOffset > 0 && range.count > 0;
}
