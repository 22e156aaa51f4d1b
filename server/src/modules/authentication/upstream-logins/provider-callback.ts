import type { Fail } from '@keywright/contract/errors';
import { parseIdentityProviderId } from '@keywright/contract/ids';
import { parseOutsideToken } from '../../../platform/crypto/outside-jws.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { anonymous, type Notes } from '../../events/journal/index.ts';
import type { IssuerKeys } from '../../tokens/proofs/index.ts';
import {
  appleSecret,
  callbackUrlOf,
  checkIdToken,
  clientSecretOf,
  directorySubject,
  exchangeCode,
  githubApi,
  identityOf,
  issuerOfDirectory,
  issuesIdTokens,
  type Provider,
  readGithubProfile,
  readProfile,
  type Returned,
  type UpstreamIdentity,
  UpstreamRefused,
} from '../identity-providers/index.ts';
import { derivedOf, newHandoff, stateHash } from './upstream-login-secrets.ts';
import { type BeginDependencies, findUsable } from './begin.ts';
import { isTest, leaveIdentity, takeState, type Tested } from './upstream-login-store.ts';

export interface CallbackDependencies extends BeginDependencies {
  readonly egress: Egress;
  readonly issuerKeys: IssuerKeys;
  readonly notes: Notes;
}

/** The parameters with which the browser returns. */
interface Return {
  readonly provider: string;
  readonly parameters: Omit<Returned, 'state'> & { readonly state?: string | undefined };
  readonly from: Origin;
}

/**
 * Handles the return of a browser from a provider. The state is used up, whatever the result is.
 * @returns where the browser is redirected
 */
export async function takeReturn(
  dependencies: CallbackDependencies,
  tenant: Tenant,
  { provider: id, parameters, from }: Return,
  fail: Fail<'PROVIDER_REFUSED'>,
): Promise<URL> {
  const { gate, clock, notes } = dependencies;
  const providerId = parseIdentityProviderId(id) ?? fail('PROVIDER_REFUSED');
  const { state = '', ...rest } = parameters;
  const hash = stateHash(state);
  const data = gate.into(tenant.id);
  const taken =
    (await data.transaction((tx) => takeState(tx, providerId, hash))) ?? fail('PROVIDER_REFUSED');
  const backTo = new URL(taken.return_url);
  const owner = taken.flow_id;
  try {
    const provider = (await findUsable(data, providerId, owner)) ?? refuse('inactive');
    const login = { returned: { state, ...rest }, asksLogin: taken.asks_login };
    const work = identify(dependencies, tenant, provider, login);
    const left = isTest(owner) ? await testedOf(work) : (await work).identity;
    const handoff = newHandoff(clock.now());
    const isLeft = await data.transaction((tx) => leaveIdentity(tx, hash, handoff, left));
    if (!isLeft) refuse('replaced');
    backTo.searchParams.set('handoff', handoff.handoff);
  } catch (error) {
    if (!(error instanceof UpstreamRefused)) throw error;
    notes.note(tenant.id, anonymous(from), {
      action: 'auth.login_failed',
      method: 'provider',
      target: { kind: 'identifier', id: null },
      outcome: 'failure',
      details: { reason: `provider_${error.reason}`, identifier: null, flow_id: taken.flow_id },
    });
    const isDeclined = error.reason === DECLINED && parameters.error === 'access_denied';
    backTo.searchParams.set('error', isDeclined ? 'access_denied' : 'provider_refused');
  }
  return backTo;
}

const LARGEST_CLAIMS = 16_384;

/** A test reports why the response of a provider is not accepted, and all claims except the nonce. */
async function testedOf(work: Promise<Identified>): Promise<Tested> {
  try {
    const { identity, claims } = await work;
    const { nonce: _nonce, ...shown } = claims;
    const isShort = JSON.stringify(shown).length <= LARGEST_CLAIMS;
    return { reason: null, identity, claims: isShort ? shown : null };
  } catch (error) {
    if (!(error instanceof UpstreamRefused)) throw error;
    return { reason: error.reason, identity: null, claims: null };
  }
}

/** How the library names a response with an `error`. */
const DECLINED = 'oauth_authorization_response_error';

function refuse(reason: string): never {
  throw new UpstreamRefused(reason);
}

interface Login {
  readonly returned: Returned;
  readonly asksLogin: boolean;
}

interface Identified {
  readonly identity: UpstreamIdentity;
  /** The claims from which the identity was made. */
  readonly claims: Claims;
}

/** @throws UpstreamRefused */
async function identify(
  dependencies: CallbackDependencies,
  tenant: Tenant,
  provider: Provider,
  { returned, asksLogin }: Login,
): Promise<Identified> {
  const { egress, clock, dataKeys, baseUrl, findMetadata } = dependencies;
  const { id: tenantId } = tenant;
  const { type, clientId, settings } = provider;
  const captures = tenant.providers.find(({ id }) => id === provider.id)?.captures ?? [];
  const metadata = await findMetadata(provider);
  const { nonce, verifier, secret } = await dataKeys.use(tenantId, (key) => ({
    ...derivedOf(key, returned.state),
    secret: clientSecretOf(key, provider),
  }));
  const isSigned = type === 'apple' && secret !== undefined;
  const { idToken, accessToken } = await exchangeCode(egress, {
    tenantId,
    metadata,
    clientId,
    clientSecret: isSigned ? appleSecret({ clientId, ...settings }, secret, clock.now()) : secret,
    redirectUri: callbackUrlOf(baseUrl(), provider),
    verifier,
    returned,
  });
  if (issuesIdTokens(type)) {
    const { userinfoEndpoint } = metadata;
    const received = { idToken, accessToken, userinfoEndpoint, nonce, asksLogin, captures };
    return readIdToken(dependencies, provider, received);
  }
  const read = { egress, tenantId, accessToken: accessToken ?? refuse('no_access_token') };
  const { subject, claims } =
    type === 'github'
      ? await readGithubProfile(read, githubApi(settings.issuer))
      : await readProfile(read, settings);
  return { identity: identityOf(provider, subject, claims, captures), claims };
}

interface Received {
  readonly idToken: string | undefined;
  readonly accessToken: string | undefined;
  readonly userinfoEndpoint: string | undefined;
  readonly nonce: string;
  readonly asksLogin: boolean;
  readonly captures: readonly string[];
}

async function readIdToken(
  dependencies: CallbackDependencies,
  provider: Provider,
  received: Received,
): Promise<Identified> {
  const { issuerKeys, clock } = dependencies;
  const { idToken, nonce, asksLogin } = received;
  const { tenantId, type, clientId, settings } = provider;
  const token = parseOutsideToken(idToken ?? '') ?? refuse('id_token_malformed');
  const { claims } = token;
  const isMicrosoft = type === 'microsoft';
  const issuer = isMicrosoft ? issuerOfDirectory(settings, claims) : settings.issuer;
  if (issuer === undefined) return refuse('id_token_tid');
  const found = await issuerKeys.find(tenantId, issuer, token);
  if (!found.key) return refuse('id_token_key');
  const expected = { issuer, clientId, nonce, asksLogin };
  const checked = checkIdToken(token, [found.key], expected, clock.now());
  if (checked.refusal !== undefined) return refuse(`id_token_${checked.refusal}`);
  const subject = isMicrosoft ? directorySubject(claims) : checked.subject;
  const all = isMicrosoft ? claims : await withUserinfo(dependencies, provider, claims, received);
  const identity = identityOf(provider, subject ?? refuse('id_token_oid'), all, received.captures);
  return { identity, claims: all };
}

type Claims = Readonly<Record<string, unknown>>;

/** Providers may return the email address only at that endpoint (OpenID Connect Core 1.0 §5.4). */
async function withUserinfo(
  { egress }: CallbackDependencies,
  { tenantId }: Provider,
  claims: Claims,
  { accessToken, userinfoEndpoint: userinfo_endpoint }: Received,
): Promise<Claims> {
  if ('email' in claims || userinfo_endpoint === undefined || accessToken === undefined) {
    return claims;
  }
  const located = { userinfo_endpoint, subject_claim: 'sub' };
  const profile = await readProfile({ egress, tenantId, accessToken }, located);
  // OpenID Connect Core 1.0 §5.3.2: another subject is a substituted token.
  if (profile.subject !== claims['sub']) refuse('userinfo_sub');
  const { email, email_verified } = profile.claims;
  return { ...claims, email, email_verified };
}
