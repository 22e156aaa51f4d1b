import { quantile } from '../measure/statistics.ts';
import { type Client, expectStatus, openClient } from './client.ts';
import type { Installation } from './installation.ts';

const TIMES = 200;
const LIMITS = [20, 100];

export interface PageTimes {
  readonly page: string;
  readonly p50_ms: number;
  readonly p99_ms: number;
}

interface ListAnswer {
  readonly meta: { readonly total: number; readonly next_cursor?: string };
}

/** Writes a few bytes to the WAL, but to no table. */
const COMMIT = `SELECT pg_logical_emit_message(true, 'bench', 'a commit')`;

/**
 * Latency of the first, middle and last page of the list of tenants, by number and by cursor; and of a bare commit, which
 * each page waits for because access across tenants is audited.
 */
export async function measureList(installation: Installation): Promise<PageTimes[]> {
  const client = openClient(installation.service.port, 'org_default');
  const token = await installation.logIn();
  const { database } = installation.bench;
  const commit = await timesOf(() => millisecondsOf(() => database.query(COMMIT)));
  const times: PageTimes[] = [{ page: 'a bare commit', ...commit }];
  try {
    for (const limit of LIMITS) {
      const pages = Math.ceil((installation.tenants + 1) / limit);
      if (pages < 2) continue;
      const queries = {
        first: 'page=1',
        middle: `page=${Math.ceil(pages / 2)}`,
        last: `page=${pages}`,
        'middle, by cursor': `cursor=${await cursorOf(client, token, limit, Math.ceil(pages / 2))}`,
        'last, by cursor': `cursor=${await cursorOf(client, token, limit, pages)}`,
      };
      for (const [name, query] of Object.entries(queries)) {
        const path = `/tenants?limit=${limit}&${query}`;
        const fetchPage = async () =>
          expectStatus(await client.send('GET', path, { token }), 200).milliseconds;
        times.push({ page: `${name}, ${limit} a page`, ...(await timesOf(fetchPage)) });
      }
    }
  } finally {
    client.close();
  }
  return times;
}

/** The cursor that leads to a page. */
async function cursorOf(client: Client, token: string, limit: number, page: number) {
  const path = `/tenants?limit=${limit}&page=${page - 1}`;
  const { body } = expectStatus(await client.send('GET', path, { token }), 200);
  return (body as ListAnswer).meta.next_cursor ?? '';
}

async function timesOf(fetchPage: () => Promise<number>) {
  const milliseconds = new Float64Array(TIMES);
  for (let time = -TIMES / 4; time < TIMES; time += 1) {
    const taken = await fetchPage();
    if (time >= 0) milliseconds[time] = taken;
  }
  return { p50_ms: quantile(milliseconds, 0.5), p99_ms: quantile(milliseconds, 0.99) };
}

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
