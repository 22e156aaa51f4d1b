import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Fail } from '@keywright/contract/errors';
import { type IdentityProviderId, parseIdentityProviderId } from '@keywright/contract/ids';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import {
  type LoginOwner,
  type Provider,
  callbackUrlOf,
  findProvider,
  insertLogin,
  isTest,
  issuesIdTokens,
  providerOf,
} from '../identity-providers/index.ts';
import { type Metadata, type ProviderClient, UpstreamRefused } from './provider-client.ts';

/** How many logins at providers one owner can start. */
const MAX_STARTED = 20;
const SECRET_BYTES = 32;
const STATE_MS = 10 * 60 * 1000;
export const HANDOFF_MS = 60 * 1000;

/** The owner of a login, and how the user authenticates at the provider. */
export interface LoginRequest {
  readonly owner: LoginOwner;
  /** The user must log in again. */
  readonly needsLogin: boolean;
  /** The login hint for the provider; empty: none. */
  readonly identifier: string;
}

export interface Destination {
  /** The ID of the provider. */
  readonly provider: string;
  readonly returnUrl: string;
  /** A page of the service, which need not be in `return_urls`. */
  readonly isHosted?: boolean;
}

/** Starts logins at providers (OpenID Connect Core 1.0 §3.1.2.1, RFC 7636). */
export class AuthorizationRequests {
  readonly #core: Core;
  readonly #client: ProviderClient;

  constructor(core: Core, client: ProviderClient) {
    this.#core = core;
    this.#client = client;
  }

  /** @returns the URL to redirect the browser to; undefined after too many logins */
  async start(
    tenant: Tenant,
    { owner, needsLogin, identifier }: LoginRequest,
    { provider: id, returnUrl, isHosted = false }: Destination,
    fail: Fail<'NOT_FOUND' | 'RETURN_URL_UNKNOWN' | 'PROVIDER_REFUSED'>,
  ): Promise<string | undefined> {
    const { gate, clock, dataKeys, baseUrl } = this.#core;
    const providerId = parseIdentityProviderId(id) ?? fail('NOT_FOUND');
    const isAllowed = isHosted || tenant.config.return_urls.includes(returnUrl);
    if (!isAllowed) fail('RETURN_URL_UNKNOWN');
    const data = gate.into(tenant.id);
    const provider = (await findUsableProvider(data, providerId, owner)) ?? fail('NOT_FOUND');
    const metadata = await this.#client.findMetadata(provider).catch((error: unknown): never => {
      if (!(error instanceof UpstreamRefused)) throw error;
      return fail('PROVIDER_REFUSED', { internal: error });
    });
    const { state, hash, expiresAt } = newState(clock.now());
    const { version: providerVersion } = provider;
    const login = {
      owner,
      providerId,
      providerVersion,
      returnUrl,
      needsLogin,
      expiresAt,
    };
    const isStarted = await data.transaction((tx) =>
      insertLogin(tx, { ...login, stateHash: hash }, MAX_STARTED),
    );
    if (!isStarted) return undefined;
    const { nonce, verifier } = await dataKeys.use(tenant.id, (key) => loginSecretsOf(key, state));
    return authorizationUrl(metadata, provider, {
      state,
      nonce,
      code_challenge: codeChallengeOf(verifier),
      code_challenge_method: 'S256',
      redirect_uri: callbackUrlOf(baseUrl(), provider),
      ...(identifier.includes('@') && { login_hint: identifier }),
      ...(needsLogin && { prompt: 'login', max_age: '0' }),
    });
  }
}

/** Returns the provider if it is active. A test can also use an inactive provider. */
export async function findUsableProvider(
  data: TenantData,
  id: IdentityProviderId,
  owner: string,
): Promise<Provider | undefined> {
  const row = await data.transaction((tx) => findProvider(tx, id));
  return row && (row.is_active || isTest(owner)) ? providerOf(row) : undefined;
}

function authorizationUrl(
  { authorizationEndpoint }: Metadata,
  { type, clientId, settings }: Provider,
  { nonce, ...parameters }: Readonly<Record<string, string>>,
): string {
  const url = new URL(authorizationEndpoint);
  const hasIdToken = issuesIdTokens(type);
  const scope = [...new Set([...(hasIdToken ? ['openid'] : []), ...settings.scopes])].join(' ');
  const all = {
    response_type: 'code',
    client_id: clientId,
    ...(scope !== '' && { scope }),
    ...(hasIdToken && { nonce }),
    // Apple requires a form response for requests with scopes.
    ...(type === 'apple' && settings.scopes.length > 0 && { response_mode: 'form_post' }),
    ...parameters,
  };
  for (const [name, value = ''] of Object.entries(all)) url.searchParams.set(name, value);
  return url.href;
}

/** The `state` of a new login: 256 bits. Only its hash is stored. */
function newState(now: Date) {
  const state = randomBytes(SECRET_BYTES).toString('base64url');
  return { state, hash: stateHash(state), expiresAt: new Date(now.getTime() + STATE_MS) };
}

export function stateHash(state: string): Buffer {
  return sha256(`upstream state ${state}`);
}

/** The secret that the browser carries from the callback to the owner of the login. */
export function newHandoff(now: Date) {
  const handoff = `hnd_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  return { handoff, hash: handoffHash(handoff), expiresAt: new Date(now.getTime() + HANDOFF_MS) };
}

export function handoffHash(handoff: string): Buffer {
  return sha256(`upstream handoff ${handoff}`);
}

/** Derives the secrets instead of storing them. The browser knows the state, so the key is a secret of the tenant. */
export function loginSecretsOf(dataKey: Buffer, state: string) {
  const info = 'keywright upstream login';
  const key = Buffer.from(hkdfSync('sha256', dataKey, '', info, SECRET_BYTES));
  const derive = (use: string) =>
    createHmac('sha256', key).update(`${use} ${state}`).digest('base64url');
  return { nonce: derive('nonce'), verifier: derive('verifier') };
}

/** RFC 7636 §4.2. */
function codeChallengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
