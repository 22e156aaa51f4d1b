import { DEFAULT_WORKSPACE, type TenantId } from '@keywright/contract/ids';
import { insertAgent } from '@keywright/server/modules/machines/agents/store';
import {
  hashApiKey,
  mintApiKey,
  shownPrefix,
} from '@keywright/server/modules/machines/api-keys/secret';
import { insertApiKey } from '@keywright/server/modules/machines/api-keys/store';
import { newAgentId, newApiKeyId } from '@keywright/server/platform/crypto/ids';
import { createGate, type TenantTx } from '@keywright/server/tenancy/gate';
import { pooled } from '@keywright/tests/harness/parallel';
import { API, bearer, type Scene } from '../rows/row.ts';
import { openForSeeding, type Person } from './seed.ts';

const AGENTS = 50;
const AT_ONCE = 8;
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

export interface TenantKey {
  readonly tenantId: TenantId;
  readonly key: string;
}

/** A key of an agent in the tenant of each of these people. Bypasses the API because there are many. */
export async function seedMachines(
  env: Readonly<Record<string, string>>,
  people: readonly Person[],
): Promise<TenantKey[]> {
  const database = await openForSeeding(env);
  const gate = createGate(database);
  try {
    return await pooled(AT_ONCE, people, async ({ tenantId, userId }) => {
      const key = mintApiKey();
      await gate.into(tenantId).transaction((tx) => insertMachine(tx, key, userId));
      return { tenantId, key };
    });
  } finally {
    await database.close();
  }
}

async function insertMachine(tx: TenantTx, key: string, by: Person['userId']): Promise<void> {
  const id = newAgentId(tx.now);
  const agent = {
    id,
    workspace_id: DEFAULT_WORKSPACE,
    name: 'robot',
    description: '',
    scopes: SCOPES,
    owner_id: by,
    jwks: null,
    trusts: [],
  };
  await insertAgent(tx, agent, tx.now);
  await insertApiKey(tx, {
    id: newApiKeyId(tx.now),
    agent_id: id,
    name: 'key',
    secret_hash: hashApiKey(key) as Buffer,
    prefix: shownPrefix(key),
    scopes: null,
    allowed_ips: null,
    created_by: by,
    created_at: tx.now,
    expires_at: new Date(tx.now.getTime() + DAY_MS),
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
