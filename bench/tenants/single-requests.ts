import { quantile } from '../measure/statistics.ts';
import { startService } from '../target/service.ts';
import type { Person } from '../target/seed.ts';
import { type Client, expectStatus, openClient } from './client.ts';
import type { Installation } from './installation.ts';

const CREATIONS = 500;
const WARM_UP_CREATIONS = 100;
const TENANTS = 1100;
const WARM_UP_TENANTS = 100;
const CHANGES = 200;
const KEY_SET = '/.well-known/jwks.json';

export interface Times {
  readonly what: string;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly worst_ms: number;
}

/** Latency of creating tenants, one at a time. */
export async function measureCreation({ service, logIn }: Installation): Promise<Times> {
  const client = openClient(service.port, 'org_default');
  const times = new Float64Array(CREATIONS);
  const token = await logIn();
  try {
    for (let time = -WARM_UP_CREATIONS; time < CREATIONS; time += 1) {
      const slug = `created-${time + WARM_UP_CREATIONS}`;
      const body = { name: slug, slug, domains: [`${slug}.example.com`] };
      const answer = await client.send('POST', '/tenants', { token, body });
      expectStatus(answer, 201);
      if (time >= 0) times[time] = answer.milliseconds;
    }
  } finally {
    client.close();
  }
  return timesOf('a tenant is created', times);
}

/**
 * Latency of a tenant's first and third request to a new process: GET /me verifies, a refresh signs. (A login's hash
 * would hide the difference.) Also the difference in pairs; that of the second and third request is a control.
 */
export async function measureFirstRequests(installation: Installation): Promise<Times[]> {
  const service = await startService(installation.bench.env);
  const { people } = installation;
  try {
    const me = await threeTimes(people.slice(0, TENANTS), service.port, (person) => {
      const { accessToken: token } = person;
      return async (client) =>
        expectStatus(await client.send('GET', '/me', { token }), 200).milliseconds;
    });
    const last = people.slice(-TENANTS);
    const refresh = await threeTimes(last, service.port, (person, index) => {
      const place = people.length - TENANTS + index;
      return async (client) => {
        const { refreshToken } = people[place] ?? person;
        const { next, milliseconds } = await refreshOnce(client, refreshToken);
        people[place] = { ...person, refreshToken: next };
        return milliseconds;
      };
    });
    return [...extraCosts('GET /me', me), ...extraCosts('refresh', refresh)];
  } finally {
    await service.stop();
  }
}

/** Milliseconds of three consecutive requests for each of these users. The first users warm up the process. */
async function threeTimes(
  people: readonly Person[],
  port: number,
  askerOf: (person: Person, index: number) => (client: Client) => Promise<number>,
): Promise<(readonly [number, number, number])[]> {
  const times: (readonly [number, number, number])[] = [];
  for (const [index, person] of people.entries()) {
    const client = openClient(port, person.tenantId);
    // Opens the connection first, because its cost does not depend on the tenant.
    expectStatus(await client.send('GET', KEY_SET, { tenantId: 'org_default' }), 200);
    const send = askerOf(person, index);
    times.push([await send(client), await send(client), await send(client)]);
    client.close();
  }
  return times.slice(WARM_UP_TENANTS);
}

function extraCosts(what: string, times: readonly (readonly [number, number, number])[]): Times[] {
  const of = (time: (three: readonly [number, number, number]) => number) =>
    Float64Array.from(times, time);
  return [
    timesOf(
      `first request of a tenant: ${what}`,
      of(([first]) => first),
    ),
    timesOf(
      `third request: ${what}`,
      of(([, , three]) => three),
    ),
    timesOf(
      `first minus third: ${what}`,
      of(([first, , three]) => first - three),
    ),
    timesOf(
      `second minus third: ${what}`,
      of(([, two, three]) => two - three),
    ),
  ];
}

async function refreshOnce(client: Client, token: string) {
  const answer = await client.send('POST', '/auth/refresh', { body: { refresh_token: token } });
  const { body, milliseconds } = expectStatus(answer, 200);
  return { next: (body as { refresh_token: string }).refresh_token, milliseconds };
}

/** How long after the response to a change the other node still uses the old settings. */
export async function measureAnnouncement({ bench, service, logIn }: Installation): Promise<Times> {
  const other = await startService(bench.env);
  const person = bench.seed.people[0];
  if (!person) throw new Error('There are no people.');
  const here = openClient(service.port, 'org_default');
  const there = openClient(other.port, person.tenantId);
  const times = new Float64Array(CHANGES);
  // A change of the audience needs a recent login.
  const token = await logIn();
  const issuer = `${bench.env['KEYWRIGHT_BASE_URL']}/t/${person.tenantId}`;
  try {
    for (let time = 0; time < CHANGES; time += 1) {
      const isAccepted = time % 2 === 1;
      const body = { config: { audience: isAccepted ? issuer : 'another audience' } };
      const path = `/tenants/${person.tenantId}`;
      expectStatus(await here.send('PATCH', path, { token, body }), 200);
      const start = performance.now();
      const expected = isAccepted ? 200 : 401;
      for (;;) {
        const { status } = await there.send('GET', '/me', { token: person.accessToken });
        if (status === expected) break;
      }
      times[time] = performance.now() - start;
    }
  } finally {
    here.close();
    there.close();
    await other.stop();
  }
  return timesOf('a change takes effect on the other node', times);
}

function timesOf(what: string, times: Float64Array): Times {
  return {
    what,
    p50_ms: quantile(times, 0.5),
    p99_ms: quantile(times, 0.99),
    worst_ms: quantile(times, 1),
  };
}
