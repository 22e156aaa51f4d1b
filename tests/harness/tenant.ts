import type { AgentRecord } from '@keywright/contract/records/agent';
import type { ApiKeyRecord, CreatedApiKey } from '@keywright/contract/records/api-key';
import type { AgentId, TenantId } from '@keywright/contract/ids';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import type { UserRecord } from '@keywright/contract/records/user';
import type { Clock } from '@keywright/server/platform/clock';
import { newIdentifier, newPassword } from './credentials.ts';
import type { TestDatabase } from './database.ts';
import { type Answer, type JsonBody, expectStatus, type RequestOptions } from './http.ts';

export interface RequestToNode extends RequestOptions {
  /** The index of the node that gets the request, from 0. */
  readonly node?: number;
}

export interface LoginOptions extends Omit<RequestToNode, 'body' | 'rawBody'> {
  /** Further fields of the body, e.g. `{ register: true }`. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

export interface Credentials {
  readonly identifier: string;
  readonly password: string;
}

export interface TestUser extends Credentials {
  readonly user: UserRecord;
  /** An access token of the user. */
  readonly token: string;
  readonly refreshToken: string;
}

export interface NewUser extends Partial<Credentials> {
  readonly roles?: readonly string[];
}

/** Fields that differ from the default agent, which has no scopes. */
export type NewAgent = Partial<
  Pick<AgentRecord, 'name' | 'description' | 'scopes' | 'workspace_id' | 'owner_id'>
>;

/** Fields that differ from the default key, which has all scopes of its agent. */
export interface NewKey {
  readonly name?: string;
  readonly expires_in_days?: number;
  readonly scopes?: readonly string[];
  readonly allowed_ips?: readonly string[];
}

export interface TestApiKey {
  readonly record: ApiKeyRecord;
  /** The key itself. */
  readonly key: string;
}

export interface TestAgent extends TestApiKey {
  readonly agent: AgentRecord;
}

/** Fields that differ from the default tenant. */
export interface TenantOverrides {
  readonly name?: string;
  /** Default `<slug>.example.com`. */
  readonly domains?: readonly string[];
  readonly config?: Partial<TenantConfig>;
}

interface TenantParts {
  readonly id: TenantId;
  readonly domains: readonly string[];
  readonly clock: Clock;
  readonly request: <Body = JsonBody>(
    method: string,
    path: string,
    options?: RequestToNode,
  ) => Promise<Answer<Body>>;
  /** Finds or creates a user with every scope of the tenant. */
  readonly findAdmin: () => Promise<Credentials>;
}

/** The default of `step_up_max_age`: what needs a recent login of the administrator gets one. */
const RECENT_SECONDS = 300;
const RENEW_BEFORE_SECONDS = 60;

/** One tenant of a running service, and its users. Every request names it in X-Tenant-ID. */
export class TestTenant {
  readonly id: TenantId;
  readonly domains: readonly string[];
  readonly #parts: TenantParts;
  #admin: { readonly token: string; readonly goodUntil: number } | undefined;

  constructor(parts: TenantParts) {
    this.id = parts.id;
    this.domains = parts.domains;
    this.#parts = parts;
  }

  request<Body = JsonBody>(
    method: string,
    path: string,
    options: RequestToNode = {},
  ): Promise<Answer<Body>> {
    return this.#parts.request<Body>(method, path, { tenant: this.id, ...options });
  }

  /** @throws if the login is rejected */
  async login(
    identifier: string,
    secret: string,
    options: LoginOptions = {},
  ): Promise<TokenAnswer> {
    const { extra, ...rest } = options;
    const body = { identifier, secret, ...extra };
    return expectStatus(
      200,
      await this.request<TokenAnswer>('POST', '/auth/login', { ...rest, body }),
    );
  }

  /** An access token of the administrator. */
  async adminToken(): Promise<string> {
    const now = this.#parts.clock.now().getTime();
    if (!this.#admin || this.#admin.goodUntil < now) {
      const { identifier, password } = await this.#parts.findAdmin();
      const answer = await this.login(identifier, password);
      const seconds = Math.min(answer.expires_in, RECENT_SECONDS) - RENEW_BEFORE_SECONDS;
      const goodUntil = now + seconds * 1000;
      this.#admin = { token: answer.access_token, goodUntil };
    }
    return this.#admin.token;
  }

  /** A user whom the administrator creates through the API, and who is logged in. */
  async createUser(input: NewUser = {}): Promise<TestUser> {
    const { identifier = newIdentifier(), password = newPassword(), roles } = input;
    const body = { identifier, password, ...(roles ? { roles } : {}) };
    const token = await this.adminToken();
    const user = expectStatus(
      201,
      await this.request<UserRecord>('POST', '/users', { token, body }),
    );
    const login = await this.login(identifier, password);
    const { access_token: accessToken, refresh_token: refreshToken } = login;
    return { user, identifier, password, token: accessToken, refreshToken };
  }

  /** An agent with a key, both created by the administrator through the API. */
  async createAgent(input: NewAgent = {}, key: NewKey = {}): Promise<TestAgent> {
    const body = { name: 'robot', ...input };
    const token = await this.adminToken();
    const answer = await this.request<AgentRecord>('POST', '/agents', { token, body });
    const agent = expectStatus(201, answer);
    return { agent, ...(await this.createApiKey(agent.id, key)) };
  }

  /** Another key of an agent. */
  async createApiKey(agentId: AgentId, input: NewKey = {}): Promise<TestApiKey> {
    const body = { agent_id: agentId, name: 'a key', ...input };
    const token = await this.adminToken();
    const answer = await this.request<CreatedApiKey>('POST', '/apikeys', { token, body });
    return shownOnce(expectStatus(201, answer));
  }
}

/** The record and the key in a response that shows both. @throws if it contains no key */
export function shownOnce({ key, ...record }: CreatedApiKey): TestApiKey {
  if (key === undefined) throw new Error('This answer shows no key.');
  return { record, key };
}

/** Registers a user and makes them the tenant's administrator without the API, which requires an existing one. */
export async function installAdmin(
  tenant: TestTenant,
  database: TestDatabase,
): Promise<Credentials> {
  const credentials = { identifier: newIdentifier(), password: newPassword() };
  const { identifier, password } = credentials;
  const { user } = await tenant.login(identifier, password, { extra: { register: true } });
  await database.query('INSERT INTO user_roles (tenant_id, user_id, role) VALUES ($1, $2, $3)', [
    tenant.id,
    user.id,
    'admin',
  ]);
  return credentials;
}
