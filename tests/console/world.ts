// A tenant with something on every screen of the console, all of it as long and as hostile as its people could write it.

import type { Keywright } from '../harness/keywright.ts';
import { expectStatus } from '../harness/http.ts';
import { newPassword } from '../harness/credentials.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { furnishAccess } from './furniture/access.ts';
import { furnishApplications } from './furniture/applications.ts';
import { furnishConnections } from './furniture/connections.ts';
import { EVIDENCE_SCREENS } from './furniture/evidence.ts';
import { furnishHome } from './furniture/home.ts';
import { furnishLook } from './furniture/look.ts';
import { furnishTexts } from './furniture/own-words.ts';
import { furnishPeople } from './furniture/people.ts';

/** Sets `globalThis.hacked` if a page interprets it as markup. */
const PAYLOAD = `"'><img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>`;
const LONG = 'Donaudampfschifffahrtsgesellschaftsvertretung';
/** A name: at most 100 characters. */
const NAME = `${PAYLOAD.slice(0, 52)}${LONG}`;
const TEXT = `${PAYLOAD} ${LONG} `.repeat(2).slice(0, 250);

export interface ConsoleWorld {
  readonly tenant: TestTenant;
  /** The user who is logged in to the console. */
  readonly operator: TestUser;
  /** Paths below the tenant, by the name of the screen. */
  readonly screens: Readonly<Record<string, string>>;
}

export async function furnish(keywright: Keywright, slug: string): Promise<ConsoleWorld> {
  const tenant = await keywright.tenant(slug, { name: NAME });
  const operator = await tenant.createUser({ roles: ['admin'] });
  return { tenant, operator, screens: await furnishIn(keywright, tenant) };
}

/** @returns paths below the tenant, by the name of the screen */
export async function furnishIn(
  keywright: Keywright,
  tenant: TestTenant,
): Promise<ConsoleWorld['screens']> {
  const made = createWith(tenant, await tenant.adminToken());
  const role = await made('/roles', {
    name: 'long-name-of-a-role-that-a-user-chose',
    description: TEXT,
    scopes: ['read:users', 'write:invoices-of-the-year'],
  });
  const user = await made('/users', {
    identifier: `${LONG.toLowerCase()}@${'subdomain.'.repeat(6)}example.com`,
    password: newPassword(),
    roles: ['member', role.name],
  });
  const token = await tenant.adminToken();
  const body = { metadata: { note: TEXT, [PAYLOAD]: [TEXT, { nested: true }] } };
  expectStatus(200, await tenant.request('PATCH', `/users/${user.id}`, { token, body }));
  const workspace = await made('/workspaces', { name: NAME, slug: 'a-rather-long-slug-of-it' });
  const agent = await made('/agents', { name: NAME, description: TEXT, scopes: ['read:users'] });
  await made('/apikeys', { agent_id: agent.id, name: NAME });
  const client = await made('/clients', {
    name: NAME,
    kind: 'web',
    redirect_uris: [`https://app.example.com/${'callback'.repeat(20)}`],
  });
  const webhook = await made('/webhooks', {
    url: `https://hooks.example.com/${'deliveries'.repeat(20)}`,
    events: ['user.created', 'user.deleted'],
  });
  return {
    overview: '/',
    users: '/users',
    'users, filtered': '/users?search=matches-nothing',
    'a new user': '/users/new',
    'a user': `/users/${user.id}`,
    'the metadata of a user': `/users/${user.id}?as=json`,
    'an unknown user': '/users/user:01m81e4vr3f7k2m9x5q0t6w8za',
    sessions: '/sessions',
    workspaces: '/workspaces',
    'a new workspace': '/workspaces/new',
    'a workspace': `/workspaces/${workspace.id}`,
    roles: '/roles',
    'a new role': '/roles/new',
    'a role': `/roles/${role.name}`,
    agents: '/agents',
    'a new agent': '/agents/new',
    'an agent': `/agents/${agent.id}`,
    'a new key': `/agents/${agent.id}/keys/new`,
    'signing keys': '/keys',
    clients: '/clients',
    'a new client': '/clients/new',
    'a client': `/clients/${client.id}`,
    webhooks: '/webhooks',
    'a new webhook': '/webhooks/new',
    'a webhook': `/webhooks/${webhook.id}`,
    'signatures of a webhook': `/webhooks/${webhook.id}?tab=signature`,
    'audit log': '/audit',
    settings: '/settings',
    ...(await furnishLook(keywright, tenant)),
    ...(await furnishConnections(keywright, tenant)),
    'an unknown address': '/nowhere',
    ...(await furnishPeople(keywright, tenant)),
    ...(await furnishAccess(keywright, tenant)),
    ...(await furnishApplications(keywright, tenant)),
    ...(await furnishHome(tenant)),
    ...(await furnishTexts(tenant)),
    ...EVIDENCE_SCREENS,
  };
}

function createWith(tenant: TestTenant, token: string) {
  return async (path: string, body: object): Promise<Record<'id' | 'name', string>> => {
    const answer = await tenant.request<Record<'id' | 'name', string>>('POST', path, {
      token,
      body,
    });
    return expectStatus(201, answer);
  };
}
