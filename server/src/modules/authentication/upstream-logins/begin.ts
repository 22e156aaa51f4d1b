import type { Fail } from '@keywright/contract/errors';
import { type IdentityProviderId, parseIdentityProviderId } from '@keywright/contract/ids';
import type { Clock } from '../../../platform/clock.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import {
  findProvider,
  providerOf,
  callbackUrlOf,
  type FindMetadata,
  issuesIdTokens,
  type Metadata,
  type Provider,
  UpstreamRefused,
} from '../identity-providers/index.ts';
import { codeChallengeOf, derivedOf, newState } from './upstream-login-secrets.ts';
import { insertLogin, isTest, type LoginOwner } from './upstream-login-store.ts';

export interface Owner {
  readonly owner: LoginOwner;
  /** The user must log in again. */
  readonly asksLogin: boolean;
  /** The login hint for the provider; empty: none. */
  readonly identifier: string;
}

/** How many logins at providers one flow can start. */
const MAX_BEGUN = 20;

export interface BeginDependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly dataKeys: DataKeys;
  readonly baseUrl: () => string;
  readonly findMetadata: FindMetadata;
}

export interface Asked {
  /** ID of the provider. */
  readonly provider: string;
  readonly returnUrl: string;
  /** A page of the service, which does not have to be in `return_urls`. */
  readonly isOwnPage?: boolean;
}

type Refuse = Fail<'NOT_FOUND' | 'RETURN_URL_UNKNOWN' | 'PROVIDER_REFUSED'>;

/** Starts a login at a provider. @returns where the browser is sent; undefined after too many */
export async function beginLogin(
  dependencies: BeginDependencies,
  tenant: Tenant,
  { owner, asksLogin, identifier }: Owner,
  { provider: id, returnUrl, isOwnPage = false }: Asked,
  fail: Refuse,
): Promise<string | undefined> {
  const { gate, clock, dataKeys, findMetadata, baseUrl } = dependencies;
  const providerId = parseIdentityProviderId(id) ?? fail('NOT_FOUND');
  const isKnown = isOwnPage || tenant.config.return_urls.includes(returnUrl);
  if (!isKnown) fail('RETURN_URL_UNKNOWN');
  const data = gate.into(tenant.id);
  const provider = (await findUsable(data, providerId, owner)) ?? fail('NOT_FOUND');
  const metadata = await findMetadata(provider).catch((error: unknown): never => {
    if (!(error instanceof UpstreamRefused)) throw error;
    return fail('PROVIDER_REFUSED', { internal: error });
  });
  const { state, hash, expiresAt } = newState(clock.now());
  const { version: providerVersion } = provider;
  const login = { owner, providerId, providerVersion, returnUrl, asksLogin, expiresAt };
  const isBegun = await data.transaction((tx) =>
    insertLogin(tx, { ...login, stateHash: hash }, MAX_BEGUN),
  );
  if (!isBegun) return undefined;
  const { nonce, verifier } = await dataKeys.use(tenant.id, (key) => derivedOf(key, state));
  return authorizeUrl(metadata, provider, {
    state,
    nonce,
    code_challenge: codeChallengeOf(verifier),
    code_challenge_method: 'S256',
    redirect_uri: callbackUrlOf(baseUrl(), provider),
    ...(identifier.includes('@') && { login_hint: identifier }),
    ...(asksLogin && { prompt: 'login', max_age: '0' }),
  });
}

/** The provider if it is active. A test can also use an inactive one. */
export async function findUsable(
  data: ReturnType<Gate['into']>,
  id: IdentityProviderId,
  owner: string,
): Promise<Provider | undefined> {
  const row = await data.transaction((tx) => findProvider(tx, id));
  return row && (row.is_active || isTest(owner)) ? providerOf(row) : undefined;
}

function authorizeUrl(
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
