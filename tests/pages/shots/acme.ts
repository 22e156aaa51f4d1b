// A realistic tenant, for pictures.

import { consent } from '../../harness/consent.ts';
import { delegate } from '../../harness/delegation.ts';
import { registerClient } from '../../harness/application.ts';
import { expectStatus } from '../../harness/http.ts';
import type { Inbox } from '../../harness/inbox.ts';
import type { Keywright } from '../../harness/keywright.ts';
import type { TestTenant, TestUser } from '../../harness/tenant.ts';

export const CALLBACK = 'https://shop.example.com/callback';
/** A robot's head and the name. */
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 248 48" width="248" height="48">
<rect x="4" y="12" width="40" height="30" rx="8" fill="#0b6e4f"/><path d="M24 12V5" stroke="#0b6e4f" stroke-width="4"/>
<circle cx="24" cy="4" r="4" fill="#0b6e4f"/><circle cx="16" cy="26" r="4" fill="#fff"/><circle cx="32" cy="26" r="4" fill="#fff"/>
<text x="56" y="35" font-family="sans-serif" font-size="26" font-weight="700" fill="#0b6e4f">Acme Robotics</text></svg>`;
const PEOPLE = [
  'Ada Lovelace',
  'Grace Hopper',
  'Alan Turing',
  'Katherine Johnson',
  'Edsger Dijkstra',
  'Barbara Liskov',
  'Donald Knuth',
  'Radia Perlman',
  'Tim Berners-Lee',
];

/** Every n-th user is a member, from the first one. */
const WORKSPACES = [
  { name: 'Assembly line', slug: 'assembly', first: 0, nth: 2 },
  { name: 'Research', slug: 'research', first: 1, nth: 2 },
  { name: 'Field service', slug: 'field', first: 0, nth: 3 },
];

export interface Acme {
  readonly tenant: TestTenant;
  /** Ids of an engineer, of an agent that acts for her, of an application, and of a webhook. */
  readonly user: string;
  readonly agent: string;
  readonly client: string;
  readonly webhook: string;
}

export async function furnishAcme(keywright: Keywright, inbox: Inbox): Promise<Acme> {
  const tenant = await keywright.tenant('acme', { name: 'Acme Robotics' });
  const token = await tenant.adminToken();
  const create = async (path: string, body: object) =>
    expectStatus(201, await tenant.request('POST', path, { token, body }));
  await nameUser(tenant, token, 'Margaret Hamilton');
  const branding = { company_name: 'Acme Robotics', primary_color: '#0b6e4f' };
  const path = `/tenants/${tenant.id}`;
  expectStatus(200, await tenant.request('PATCH', path, { token, body: { branding } }));
  const logos = { logo: LOGO, logo_dark: LOGO.replaceAll('#0b6e4f', '#4fc79a') };
  for (const [kind, logo] of Object.entries(logos)) {
    const body = { image: Buffer.from(logo).toString('base64') };
    expectStatus(200, await tenant.request('PUT', `/logos/${kind}`, { token, body }));
  }
  for (const { name, slug } of WORKSPACES) await create('/workspaces', { name, slug });
  await create('/roles', { name: 'engineer', scopes: ['read:robots', 'write:robots'] });
  const events = ['user.created', 'user.deleted', 'session.revoked'];
  const webhook = await create('/webhooks', { url: `${inbox.url}/keywright`, events });
  const users = await createPeople(tenant, create);
  await fillWorkspaces(tenant);
  const robot = await tenant.createAgent(
    { name: 'Inventory robot', scopes: ['read:robots'] },
    { name: 'Warehouse' },
  );
  const [engineer] = users;
  if (engineer) await delegate(tenant, engineer, robot, ['read:robots']);
  const client = await registerClient(tenant, { name: 'Robot Shop', redirect_uris: [CALLBACK] });
  const user = engineer?.user.id ?? '';
  await consent(keywright, tenant.id, { userId: user, clientId: client });
  return { tenant, user, agent: robot.agent.id, client, webhook: String(webhook['id']) };
}

/** The user who is signed in to the console in the pictures. */
export async function createOperator(tenant: TestTenant): Promise<TestUser> {
  const operator = await tenant.createUser({
    identifier: addressOf('Olivia Reyes'),
    roles: ['admin'],
  });
  await nameUser(tenant, operator.token, 'Olivia Reyes');
  return operator;
}

/** Sets the name of the user whose token this is. */
async function nameUser(tenant: TestTenant, token: string, name: string): Promise<void> {
  expectStatus(200, await tenant.request('PATCH', '/me', { token, body: { name } }));
}

type Create = (path: string, body: object) => Promise<unknown>;

/** Creates users; the first one has logged in. */
async function createPeople(tenant: TestTenant, create: Create): Promise<readonly TestUser[]> {
  const [first = '', ...others] = PEOPLE;
  const roles = ['member', 'engineer'];
  const engineer = await tenant.createUser({ identifier: addressOf(first), roles });
  await nameUser(tenant, engineer.token, first);
  for (const [index, name] of others.entries()) {
    await create('/users', {
      name,
      identifier: addressOf(name),
      password: 'engines of analysis',
      roles: index % 3 === 2 ? roles : ['member'],
    });
  }
  return [engineer];
}

function addressOf(name: string): string {
  return `${name.split(' ', 1)[0]?.toLowerCase()}@acme.example`;
}

async function fillWorkspaces(tenant: TestTenant): Promise<void> {
  const token = await tenant.adminToken();
  const list = await tenant.request<{ items: { id: string }[] }>('GET', '/users', { token });
  for (const [index, { id }] of expectStatus(200, list).items.entries()) {
    for (const { slug, first, nth } of WORKSPACES) {
      if (index % nth !== first) continue;
      const path = `/workspaces/ws_${slug}/members/${id}`;
      expectStatus(200, await tenant.request('PUT', path, { token }));
    }
  }
}

/** Spreads the creation of the tenant's users over the past weeks, in the order in which they were created. */
export async function spreadCreation({ database }: Keywright, tenantId: string): Promise<void> {
  await database.query(
    `UPDATE users SET created_at = now() - interval '4 days 5 hours' * newer.count - interval '3 hours'
       FROM (SELECT id, row_number() OVER (ORDER BY created_at DESC, id DESC) - 1 AS count
               FROM users WHERE tenant_id = $1) AS newer
      WHERE users.tenant_id = $1 AND users.id = newer.id`,
    [tenantId],
  );
}
