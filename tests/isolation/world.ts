import { type ClientFurniture, furnishClients } from './furnish-clients.ts';
import { LOGOS, storeLogos } from './furnish-logos.ts';
import { CLOCK_SKEW_SECONDS } from '@keywright/contract/claims';
import type { AgentId } from '@keywright/contract/ids';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { storePicture } from '../harness/picture.ts';
import { type Answer, type JsonBody, expectStatus, type RequestOptions } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { type SecretsOf, type SecretsWatch, watchSecrets } from '../harness/message-secrets.ts';
import type { TestAgent, TestTenant, TestUser } from '../harness/tenant.ts';
import { claimsOf, headerOf } from '../harness/token.ts';
import { until } from '../harness/until.ts';
import {
  addProvider,
  type FakeProvider,
  startFakeProvider,
  UPSTREAM_CONFIG,
} from '../harness/upstream.ts';
import { distinctStrings, dumpTenant, type TenantDump, withoutFigures } from './dump.ts';
import {
  furnishEnrollments,
  furnishIdentifiers,
  furnishMailboxes,
  furnishFactors,
  furnishFlows,
  furnishPasskeys,
  furnishSecondSteps,
  type LoginFurniture,
  removeFactors,
} from './furnish-logins.ts';
import { furnishMessages, type MessageFurniture } from './furnish-messages.ts';
import { writeTexts } from './furnish-texts.ts';
import { type DomainFurniture, furnishDomains, startProofs } from './furnish-domains.ts';
import { furnishUpstream, linkToAll, type UpstreamFurniture } from './furnish-upstream.ts';
import { publishKey } from './published-key.ts';

/** One of the two tenants, its users and records. Their names occur nowhere else. */
export interface Side
  extends LoginFurniture, MessageFurniture, ClientFurniture, UpstreamFurniture, DomainFurniture {
  readonly tenant: TestTenant;
  /** Has all scopes. */
  readonly admin: TestUser;
  /** Has none. */
  readonly member: TestUser;
  /** Deletes their account. */
  leaver(): Promise<TestUser>;
  /** A user whose sessions are not used. */
  readonly idler: TestUser;
  /** An agent with every scope, and its key. */
  readonly robot: TestAgent;
  readonly workspaceId: string;
  /** Inactive, so that no node processes its two deliveries. */
  readonly logoDigest: string;
  /** Of the picture of `idler`. */
  readonly pictureDigest: string;
  readonly webhookId: string;
  readonly deliveryId: string;
  /** Of two. */
  readonly providerId: string;
  readonly role: string;
  /** Of the admin. */
  readonly delegationId: string;
  /** Each returns the id of the created record. */
  createWorkspace(slug: string): Promise<string>;
  createRole(name: string): Promise<string>;
  createWebhook(): Promise<string>;
  createProvider(): Promise<string>;
  /** @returns its locale */
  writeTemplate(): Promise<string>;
  /** @returns the key of its text */
  writeText(): Promise<string>;
  /** Delegates from the admin to an agent. */
  delegate(agentId: AgentId): Promise<string>;
}

/** A tenant whose requests are observed, and a foreign tenant that their responses must not disclose. */
export type World = Awaited<ReturnType<typeof startWorld>>;

const HOUR = 3600;
/** Messages can be requested, but are never sent. */
const NO_SERVER = 'smtp://127.0.0.1:9?tls=none';

export async function startWorld() {
  const secrets = watchSecrets();
  const { dns, records } = await startProofs();
  const keywright = await startKeywright({
    clock: 'fake',
    outside: { dnsServers: [dns.address] },
    env: {
      KEYWRIGHT_SMTP_URL: NO_SERVER,
      KEYWRIGHT_MAIL_FROM: 'no-reply@example.com',
      KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1',
    },
    modules: [secrets.module],
  });
  const provider = await startFakeProvider();
  provider.now = () => keywright.clock.now().getTime();
  const ofTenants = {
    secretsOf: secrets.of(keywright),
    tokenOf: secrets.tokenOf,
    provider,
    records,
  };
  const exchanges: { readonly question: string; readonly text: string }[] = [];
  const early = await furnish(keywright, ofTenants, await createTenant(keywright, 'own'), 'own');
  const expiredToken = early.admin.token;
  keywright.clock.advance(HOUR + CLOCK_SKEW_SECONDS + 1);
  const local: Side = {
    ...early,
    // The first ones have expired as well.
    ...(await furnishFactors(keywright, early.tenant, early.admin, early.member)),
    ...(await furnishFlows(early.tenant, early.member)),
    admin: await logInAgain(early, early.admin),
    member: await logInAgain(early, early.member),
  };
  const foreignTenant = await createTenant(keywright, 'foreign');
  await seal(keywright, foreignTenant, local.tenant);
  const key = await publishKey(keywright, foreignTenant);
  const foreign = await furnish(keywright, ofTenants, foreignTenant, 'foreign');
  // Both change rows of the foreign tenant, which must not be attributed to the requests.
  await useKey(keywright, foreign);
  const foreignImpersonationToken = await impersonate(keywright, foreign.tenant.id);
  // Both would change rows of the foreign tenant, and seal a list during its iteration.
  for (const { sealing } of keywright.nodes) await sealing.stop();
  for (const { messages } of keywright.nodes) await messages.queue.runDue();
  await seal(keywright, foreignTenant, local.tenant);
  const before = await dumpTenant(keywright.database, foreign.tenant.id);
  const system = { token: await keywright.adminToken(), tenant: keywright.home.id };
  const claims = claimsOf(local.admin.token);

  return {
    keywright,
    local,
    foreign,
    /** An expired token of the own administrator, whose session is active. */
    expiredToken,
    /** The claims of the own administrator's token, signed with a key that the foreign tenant publishes. */
    forgedTokens: [key.kid, headerOf(local.admin.token).kid].map((kid) => key.sign(kid, claims)),
    /** The foreign administrator's own claims, signed with that key: valid in the foreign tenant. */
    foreignKeyToken: key.sign(key.kid, claimsOf(foreign.admin.token)),
    /** The first system administrator, in the default tenant. */
    system,
    /** A token of an administrator of the default tenant who is not a system administrator. */
    homeAdminToken: (await keywright.createUser({ roles: ['admin'] })).token,
    /** Of the system administrator, to act in the own tenant. */
    impersonationToken: await impersonate(keywright, local.tenant.id),
    /** The same for the foreign tenant. */
    foreignImpersonationToken,
    /** Of a tenant that was deactivated before the first request to it. */
    inactiveTenantId: await createInactiveTenant(keywright),
    /**
     * Sends a request and records the response, which must not disclose the foreign tenant. This applies to all
     * callers except system administrators in the default tenant, who can see every tenant.
     */
    async request(
      method: string,
      path: string,
      options: RequestOptions = {},
    ): Promise<Answer<JsonBody>> {
      const answer = await keywright.request(method, path, options);
      if (options.token !== system.token)
        exchanges.push({ question: `${method} ${path}`, text: withoutRoles(answer, options) });
      return answer;
    },
    /** An access token of the own administrator, from a session that no other test uses. */
    async freshAdminToken(): Promise<string> {
      await removeFactors(keywright, local);
      return (await logInAgain(local, local.admin)).token;
    },
    /** What responses disclosed of the foreign tenant, with the request. */
    async leaks(): Promise<string[]> {
      const theirs = await dumpTenant(keywright.database, foreign.tenant.id);
      const ours = await dumpTenant(keywright.database, local.tenant.id);
      return findLeaks(exchanges, distinctStrings(theirs, ours));
    },
    /** Returns the foreign tenant's rows when the world was created, and now. */
    async foreignRows(): Promise<{ readonly before: TenantDump; readonly now: TenantDump }> {
      return {
        before: withoutFigures(before),
        now: withoutFigures(await dumpTenant(keywright.database, foreign.tenant.id)),
      };
    },
    async close(): Promise<void> {
      await keywright.close();
      await provider.close();
      await dns.close();
    },
  };
}

/** Seals again, so that there are several checkpoints, and no earlier work is written or sealed later. */
async function seal(keywright: Keywright, ...tenants: readonly TestTenant[]): Promise<void> {
  await keywright.nodes[0]?.notes.flush();
  for (const { id } of tenants) await keywright.nodes[0]?.sealing.seal(id);
}

function createTenant(keywright: Keywright, slug: string): Promise<TestTenant> {
  return keywright.tenant(slug, {
    name: `${slug} affairs`,
    config: {
      ...UPSTREAM_CONFIG,
      allow_account_deletion: true,
      magic_link_url: `https://${slug}.example.com/login`,
    },
  });
}

async function createInactiveTenant(keywright: Keywright): Promise<string> {
  const { id } = await createTenant(keywright, 'inactive');
  const token = await keywright.adminToken();
  const body = { is_active: false };
  expectStatus(200, await keywright.home.request('PATCH', `/tenants/${id}`, { token, body }));
  return id;
}

/** Returns a token with which the first system administrator acts in a tenant. */
async function impersonate(keywright: Keywright, tenantId: string): Promise<string> {
  const token = await keywright.adminToken();
  const body = { tenant_id: tenantId, reason: 'a look around' };
  const answer = await keywright.home.request('POST', '/auth/impersonate', { token, body });
  return String(expectStatus(200, answer)['access_token']);
}

/** Uses the robot's API key, and waits until the use is written: later uses in the same minute are not. */
async function useKey(keywright: Keywright, { tenant, robot }: Side): Promise<void> {
  expectStatus(200, await tenant.request('GET', '/me', { token: robot.key }));
  await until('the use of the key is written', async () => {
    const [row] = await keywright.database.query<{ used: boolean }>(
      'SELECT last_used_at IS NOT NULL AS used FROM api_keys WHERE id = $1',
      [robot.record.id],
    );
    return row?.used;
  });
}

interface Secrets extends Pick<SecretsWatch, 'tokenOf'> {
  /** Of the DNS, by name. */
  readonly records: Map<string, string>;
  readonly provider: FakeProvider;
  readonly secretsOf: SecretsOf;
}

/** A workspace, a role, people in both, and settings. */
async function furnish(
  keywright: Keywright,
  secrets: Secrets,
  tenant: TestTenant,
  slug: string,
): Promise<Side> {
  const send = async (method: string, path: string, body: object) =>
    tenant.request(method, path, { token: await tenant.adminToken(), body });
  const createWorkspace = async (name: string) => {
    const body = { name: `the ${name}`, slug: name };
    return String(expectStatus(201, await send('POST', '/workspaces', body))['id']);
  };
  const createRole = async (name: string) => {
    const body = { name, description: `waters the ${name}`, scopes: [] };
    return String(expectStatus(201, await send('POST', '/roles', body))['name']);
  };
  const createWebhook = async () => {
    const body = { url: `https://hooks.${slug}.example.com/`, events: ['webhook.disabled'] };
    const id = String(expectStatus(201, await send('POST', '/webhooks', body))['id']);
    expectStatus(200, await send('PATCH', `/webhooks/${id}`, { is_active: false }));
    return id;
  };
  const createProvider = async () => {
    const door = { issuer: `https://id.${slug}.example.com`, clientSecret: newPassword() };
    const fields = { name: `door of ${slug}`, client_id: `client-of-${slug}` };
    return String((await addProvider(tenant, door, fields)).id);
  };
  const texts = writeTexts(slug, send);
  const [webhookId] = [await createWebhook(), await createWebhook()];
  const tryWebhook = async () => {
    const tried = await send('POST', `/webhooks/${webhookId}/test`, {});
    return String(expectStatus(200, tried)['id']);
  };
  const [deliveryId] = [await tryWebhook(), await tryWebhook()];
  const [providerId] = [await createProvider(), await createProvider()];
  const workspaceId = await createWorkspace(`${slug}-cellar`);
  const role = await createRole(`${slug}_gardener`);
  const branding = { company_name: `${slug} & daughters`, ...LOGOS };
  const messaging = {
    email: {
      smtp_host: `mail.${slug}.example.com`,
      smtp_password: newPassword(),
      from_address: `post@${slug}.example.com`,
    },
  };
  const settings = { branding, messaging };
  expectStatus(200, await send('PATCH', `/tenants/${tenant.id}`, settings));
  const logoDigest = await storeLogos(keywright, tenant);
  const admin = await tenant.createUser({ roles: ['admin'] });
  await linkToAll(keywright, admin);
  const member = await tenant.createUser();
  const idler = await tenant.createUser({ roles: [role] });
  for (const { user } of [admin, member, idler]) {
    const body = {
      workspaces: [workspaceId],
      metadata: { note: `a secret of ${slug}` },
      user_metadata: { note: `a hobby of ${slug}` },
    };
    expectStatus(200, await send('PATCH', `/users/${user.id}`, body));
  }
  const robot = await tenant.createAgent({
    name: `the lawnmower of ${slug}`,
    description: `mows at ${slug}`,
    scopes: ['*:*'],
    owner_id: member.user.id,
  });
  const can = await tenant.createAgent({ name: `the watering can of ${slug}` });
  const delegations = await furnishDelegations(tenant, slug, admin, [robot, can]);
  const identifiers = furnishIdentifiers(keywright, secrets, tenant, admin);
  const invitedAddress = newIdentifier();
  const adminAddress = await identifiers.giveIdentifier(true);
  for (const to of [invitedAddress, adminAddress, adminAddress]) await identifiers.invite(to);
  const factors = {
    ...(await furnishFactors(keywright, tenant, admin, member)),
    ...furnishSecondSteps(keywright, tenant),
    ...furnishEnrollments(keywright, tenant),
    ...furnishPasskeys(tenant, admin),
    ...furnishUpstream(keywright, tenant, secrets.provider, admin),
    ...furnishMailboxes(keywright, secrets.secretsOf, tenant),
    ...identifiers,
    invitationId: await identifiers.invite(),
    invitedAddress,
  };
  const pictureDigest = await storePicture(tenant, idler);
  const made = { logoDigest, pictureDigest, webhookId, deliveryId, providerId, workspaceId, role };
  const make = { createWorkspace, createRole, createWebhook, createProvider, ...texts };
  const flows = await furnishFlows(tenant, member);
  const messages = await furnishMessages(keywright, tenant, slug);
  const domains = await furnishDomains(secrets.records, tenant, slug, providerId);
  const clients = await furnishClients(keywright, tenant, slug, admin);
  let leaving: Promise<TestUser> | undefined;
  const leaver = () => (leaving ??= tenant.createUser());
  const people = { admin, member, idler, robot, leaver };
  const logins = { ...factors, ...flows, ...clients, ...domains };
  return { tenant, ...people, ...made, ...make, ...delegations, ...logins, ...messages };
}

/** Creates two delegations of the tenant's manager, and one of the admin. */
async function furnishDelegations(
  tenant: TestTenant,
  slug: string,
  admin: TestUser,
  agents: readonly [TestAgent, ...TestAgent[]],
): Promise<Pick<Side, 'delegationId' | 'delegate'>> {
  const delegateFrom = async (token: string, agentId: AgentId) => {
    const body = { agent_id: agentId, scopes: [`write:${slug}-hedges`] };
    const answer = await tenant.request('POST', '/me/delegations', { token, body });
    return String(expectStatus(201, answer)['id']);
  };
  for (const { agent } of agents) await delegateFrom(await tenant.adminToken(), agent.id);
  return {
    delegationId: await delegateFrom(admin.token, agents[0].agent.id),
    delegate: async (agentId) => {
      const { access_token: token } = await tenant.login(admin.identifier, admin.password);
      return delegateFrom(token, agentId);
    },
  };
}

async function logInAgain({ tenant }: Side, user: TestUser): Promise<TestUser> {
  const answer = await tenant.login(user.identifier, user.password);
  return { ...user, token: answer.access_token, refreshToken: answer.refresh_token };
}

/** The parts of tokens that contain claims: of JWTs, and of opaque refresh tokens. */
const CLAIMS = /eyJ[\w-]+\.([\w-]+)\.[\w-]+|rft_([\w-]+)/g;

/** Removes the roles that the caller sent: an error repeats unknown roles, whether or not another tenant has them. */
function withoutRoles({ body, text }: Answer<JsonBody>, { body: sent }: RequestOptions): string {
  if (body['code'] !== 'ROLE_UNKNOWN') return text;
  const roles = (sent as { readonly roles?: readonly string[] } | undefined)?.roles ?? [];
  return roles.reduce((rest, role) => rest.replaceAll(role, ''), text);
}

/** Returns the strings of the foreign tenant in responses, including inside their tokens. */
function findLeaks(
  exchanges: readonly { readonly question: string; readonly text: string }[],
  foreignStrings: readonly string[],
): string[] {
  return exchanges.flatMap(({ question, text }) => {
    const payloads = [...text.matchAll(CLAIMS)].map(([, payload, opaque = '']) =>
      Buffer.from(payload ?? opaque, 'base64url').toString(),
    );
    const disclosed = [text, ...payloads].join('\n');
    return foreignStrings
      .filter((value) => disclosed.includes(value))
      .map((value) => `${question} told ${value}`);
  });
}
