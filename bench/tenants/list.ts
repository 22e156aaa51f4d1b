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

/** How long a page of the list of tenants takes: the first, the middle, the last, by number and by cursor. */
export async function measureList(installation: Installation): Promise<PageTimes[]> {
  const client = openClient(installation.service.port, 'org_default');
  const token = installation.systemToken;
  const times: PageTimes[] = [];
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
        times.push({ page: `${name}, ${limit} a page`, ...(await timesOf(client, token, path)) });
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
  const { body } = expectStatus(await client.ask('GET', path, { token }), 200);
  return (body as ListAnswer).meta.next_cursor ?? '';
}

async function timesOf(client: Client, token: string, path: string) {
  const milliseconds = new Float64Array(TIMES);
  for (let time = -TIMES / 4; time < TIMES; time += 1) {
    const answer = expectStatus(await client.ask('GET', path, { token }), 200);
    if (time >= 0) milliseconds[time] = answer.milliseconds;
  }
  return { p50_ms: quantile(milliseconds, 0.5), p99_ms: quantile(milliseconds, 0.99) };
}
