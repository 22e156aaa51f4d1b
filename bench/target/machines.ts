import { pooled } from '@keywright/tests/harness/parallel';
import { API, bearer, type Scene } from '../rows/row.ts';
import type { Person } from './seed.ts';

const AGENTS = 50;
const AT_ONCE = 8;
const SCOPES = ['read:users', 'read:roles', 'write:invoices'];

/** An API key, and how to revoke it. */
export interface Machine {
  readonly agentId: string;
  readonly keyId: string;
  readonly key: string;
}

/** API keys of some agents in the first tenant, made through the API by one of its administrators. */
export async function createMachines({ seed, url }: Scene, count: number): Promise<Machine[]> {
  const admin = seed.people.find((one) => one.tenantId === seed.tenantId) as Person;
  const agents = await pooled(AT_ONCE, numbers(AGENTS), async (number) => {
    const body = { name: `robot ${number}`, scopes: SCOPES };
    return (await create<{ id: string }>(url, admin, '/agents', body)).id;
  });
  return pooled(AT_ONCE, numbers(count), async (number) => {
    const agentId = agents[number % AGENTS] ?? '';
    const body = { agent_id: agentId, name: `key ${number}` };
    const { id, key } = await create<{ id: string; key: string }>(url, admin, '/apikeys', body);
    return { agentId, keyId: id, key };
  });
}

async function create<Body>(url: string, by: Person, path: string, body: object): Promise<Body> {
  const headers = { ...bearer(by), 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify(body) };
  const answer = await fetch(`${url}${API}${path}`, request);
  if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}.`);
  return (await answer.json()) as Body;
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
