import {
  type AgentId,
  DEFAULT_WORKSPACE,
  type TenantId,
  type UserId,
} from '@keywright/contract/ids';
import {
  hashApiKey,
  mintApiKey,
  shownPrefix,
} from '@keywright/server/modules/machines/agents/api-key-authentication';
import { newAgentId, newApiKeyId } from '@keywright/server/platform/crypto/ids';
import type { SystemTx } from '@keywright/server/tenancy/gate';
import { pooled } from '@keywright/tests/harness/parallel';
import { API, bearer, type Scene } from '../rows/row.ts';
import { acrossTenants } from './across-tenants.ts';
import { openForSeeding, type Person } from './seed.ts';

const AGENTS = 50;
const AT_ONCE = 8;
const MACHINES_IN_A_STATEMENT = 1000;
const DAY_MS = 86_400_000;
const SCOPES = ['read:users', 'read:roles', 'write:invoices'];

/** An API key, and how to revoke it. */
export interface Machine {
  readonly agentId: string;
  readonly keyId: string;
  readonly key: string;
}

/** Creates API keys of some agents in the first tenant, through the API as an administrator. */
export async function createMachines(
  { seed, url }: Pick<Scene, 'seed' | 'url'>,
  count: number,
): Promise<Machine[]> {
  const admin = seed.people.find((person) => person.tenantId === seed.tenantId) as Person;
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

export interface TenantKey {
  readonly tenantId: TenantId;
  readonly key: string;
}

/** Creates an agent's key in the tenant of each of these users. Bypasses the API because there are many. */
export async function seedMachines(
  env: Readonly<Record<string, string>>,
  people: readonly Person[],
): Promise<TenantKey[]> {
  const database = await openForSeeding(env);
  const now = new Date();
  const machines = people.map(({ tenantId, userId }) => {
    return { tenantId, by: userId, agentId: newAgentId(now), key: mintApiKey() };
  });
  try {
    for (let from = 0; from < machines.length; from += MACHINES_IN_A_STATEMENT) {
      const batch = machines.slice(from, from + MACHINES_IN_A_STATEMENT);
      await acrossTenants(database, (db) => insertMachines(db, batch, now));
    }
  } finally {
    await database.close();
  }
  return machines;
}

interface NewMachine extends TenantKey {
  readonly agentId: AgentId;
  readonly by: UserId;
}

async function insertMachines(
  db: SystemTx['db'],
  machines: readonly NewMachine[],
  now: Date,
): Promise<void> {
  await db
    .insertInto('agents')
    .values(
      machines.map(({ tenantId, agentId, by }) => ({
        tenant_id: tenantId,
        id: agentId,
        workspace_id: DEFAULT_WORKSPACE,
        name: 'robot',
        description: '',
        scopes: SCOPES,
        owner_id: by,
        created_at: now,
      })),
    )
    .execute();
  await db
    .insertInto('api_keys')
    .values(
      machines.map(({ tenantId, agentId, key, by }) => ({
        tenant_id: tenantId,
        id: newApiKeyId(now),
        agent_id: agentId,
        name: 'key',
        secret_hash: hashApiKey(key) as Buffer,
        prefix: shownPrefix(key),
        created_by: by,
        created_at: now,
        expires_at: new Date(now.getTime() + DAY_MS),
      })),
    )
    .execute();
}

async function create<Body>(url: string, by: Person, path: string, body: object): Promise<Body> {
  const headers = { ...bearer(by), 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify(body) };
  const answer = await fetch(`${url}${API}${path}`, request);
  if (answer.status !== 201) throw new Error(`${path} returned ${answer.status}.`);
  return (await answer.json()) as Body;
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
