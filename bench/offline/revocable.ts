import { GRANT_TYPE, TOKEN_TYPE } from '@keywright/contract/routes/token';
import type { Person, Seed } from '../target/seed.ts';
import { type Client, expectStatus } from '../tenants/client.ts';

const SCOPES = ['read:users'];

export const KINDS = [
  'logout',
  'session deleted',
  'user disabled',
  'agent deactivated',
  'key revoked',
  'delegation revoked',
] as const;

type Kind = (typeof KINDS)[number];

/** A token, and the request that revokes it. */
export interface Revocable {
  readonly kind: Kind;
  readonly token: string;
  revoke(client: Client): Promise<unknown>;
}

interface Machine {
  readonly agentId: string;
  readonly keyId: string;
  readonly key: string;
}

/** Creates tokens of all kinds round-robin; each person is used once. */
export async function createRevocables(
  client: Client,
  seed: Seed,
  count: number,
): Promise<Revocable[]> {
  const [admin, ...people] = seed.people as readonly [Person, ...Person[]];
  const helper = await addMachine(client, admin);
  const revocables: Revocable[] = [];
  for (let number = 0; number < count; number += 1) {
    const kind = KINDS[number % KINDS.length] as Kind;
    const person = people[number] as Person;
    revocables.push({ kind, ...(await MAKERS[kind]({ client, admin, person, helper })) });
  }
  return revocables;
}

interface Scene {
  readonly client: Client;
  readonly admin: Person;
  readonly person: Person;
  /** An agent to which people delegate. */
  readonly helper: Machine;
}

type Maker = (scene: Scene) => Promise<Omit<Revocable, 'kind'>>;

const MAKERS: Readonly<Record<Kind, Maker>> = {
  logout: async ({ person }) => ({
    token: person.accessToken,
    revoke: (by) => done(by, person, 'POST', '/auth/logout'),
  }),
  'session deleted': async ({ admin, person }) => ({
    token: person.accessToken,
    revoke: (by) => done(by, admin, 'DELETE', `/sessions/${person.sessionId}`),
  }),
  'user disabled': async ({ admin, person }) => ({
    token: person.accessToken,
    revoke: (by) => done(by, admin, 'PATCH', `/users/${person.userId}`, { is_active: false }),
  }),
  'agent deactivated': async ({ client, admin }) => {
    const machine = await addMachine(client, admin);
    const path = `/agents/${machine.agentId}`;
    return {
      token: await tokenOf(client, machine),
      revoke: (by) => done(by, admin, 'PATCH', path, { is_active: false }),
    };
  },
  'key revoked': async ({ client, admin }) => {
    const machine = await addMachine(client, admin);
    return {
      token: await tokenOf(client, machine),
      revoke: (by) => done(by, admin, 'DELETE', `/apikeys/${machine.keyId}`),
    };
  },
  'delegation revoked': async ({ client, person, helper }) => {
    const body = { agent_id: helper.agentId, scopes: SCOPES };
    const { id } = await made<{ id: string }>(client, person, '/me/delegations', body);
    return {
      token: await tokenOf(client, helper, {
        grant_type: GRANT_TYPE.tokenExchange,
        subject_token: person.accessToken,
        subject_token_type: TOKEN_TYPE.accessToken,
      }),
      revoke: (by) => done(by, person, 'DELETE', `/me/delegations/${id}`),
    };
  },
};

async function addMachine(client: Client, admin: Person): Promise<Machine> {
  const agent = { name: 'robot', scopes: SCOPES };
  const { id: agentId } = await made<{ id: string }>(client, admin, '/agents', agent);
  const body = { agent_id: agentId, name: 'key' };
  const { id: keyId, key } = await made<{ id: string; key: string }>(
    client,
    admin,
    '/apikeys',
    body,
  );
  return { agentId, keyId, key };
}

async function tokenOf(
  client: Client,
  { agentId, key }: Machine,
  grant: object = { grant_type: GRANT_TYPE.clientCredentials },
): Promise<string> {
  const body = { client_id: agentId, client_secret: key, ...grant };
  const answer = expectStatus(await client.send('POST', '/auth/token', { body }), 200);
  return (answer.body as { access_token: string }).access_token;
}

async function made<Body>(client: Client, by: Person, path: string, body: object): Promise<Body> {
  const answer = await client.send('POST', path, { token: by.accessToken, body });
  return expectStatus(answer, 201).body as Body;
}

async function done(client: Client, by: Person, method: string, path: string, body?: object) {
  const question = { token: by.accessToken, ...(body && { body }) };
  return expectStatus(await client.send(method, path, question), 200);
}
