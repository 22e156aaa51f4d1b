import type { Fail } from '@keywright/contract/errors';
import { type IdentityProviderId, parseIdentityProviderId } from '@keywright/contract/ids';
import type { ProviderTest } from '@keywright/contract/records/provider-test';
import {
  type OutsideKey,
  type OutsideToken,
  keyOf,
  outsideSignatureIsValid,
  parseOutsideToken,
} from '../../../platform/crypto/outside-jws.ts';
import type { Caller, Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Notes, anonymous, record } from '../../events/journal/index.ts';
import { requireAsMuchAsAnyone } from '../../identity/roles/index.ts';
import type { IssuerKeys } from '../../tokens/proofs/index.ts';
import {
  type Provider,
  type TestResult,
  type UpstreamIdentity,
  callbackUrlOf,
  clientSecretOf,
  directorySubject,
  findProvider,
  identityOf,
  isTest,
  issuerOfDirectory,
  issuesIdTokens,
  markTested,
  storeResponse,
  takeState,
  takeTestResult,
  testOwner,
} from '../identity-providers/index.ts';
import {
  type AuthorizationRequests,
  findUsableProvider,
  handoffHash,
  loginSecretsOf,
  newHandoff,
  stateHash,
} from './authorization-requests.ts';
import {
  type AuthorizationResponse,
  type ProviderClient,
  UpstreamRefused,
  appleSecret,
} from './provider-client.ts';
import { testPageOf } from './upstream-login-rules.ts';

/** The error code of the library for a response with an `error`. */
const DECLINED = 'oauth_authorization_response_error';
const LARGEST_CLAIMS = 16_384;

type Claims = Readonly<Record<string, unknown>>;

/** The request of a browser that a provider redirected back. */
interface CallbackRequest {
  readonly provider: string;
  readonly parameters: Omit<AuthorizationResponse, 'state'> & {
    readonly state?: string | undefined;
  };
  readonly from: Origin;
}

interface IdentifiedUser {
  readonly identity: UpstreamIdentity;
  /** The claims that the identity was read from. */
  readonly claims: Claims;
}

interface IdTokenResponse {
  readonly idToken: string | undefined;
  readonly accessToken: string | undefined;
  readonly userinfoEndpoint: string | undefined;
  readonly nonce: string;
  readonly needsLogin: boolean;
  readonly captures: readonly string[];
}

/** Handles the responses of providers. */
export class ProviderCallback {
  readonly #core: Core;
  readonly #client: ProviderClient;
  readonly #issuerKeys: IssuerKeys;
  readonly #notes: Notes;

  constructor(core: Core, client: ProviderClient, issuerKeys: IssuerKeys, notes: Notes) {
    this.#core = core;
    this.#client = client;
    this.#issuerKeys = issuerKeys;
    this.#notes = notes;
  }

  /**
   * Reads the identity of the user, and stores it for the owner of the login. Consumes the state, even on failure.
   * @returns the URL to redirect the browser to
   */
  async handle(
    tenant: Tenant,
    { provider: id, parameters, from }: CallbackRequest,
    fail: Fail<'PROVIDER_REFUSED'>,
  ): Promise<URL> {
    const { gate, clock } = this.#core;
    const providerId = parseIdentityProviderId(id) ?? fail('PROVIDER_REFUSED');
    const { state = '', ...rest } = parameters;
    const hash = stateHash(state);
    const data = gate.into(tenant.id);
    const login =
      (await data.transaction((tx) => takeState(tx, providerId, hash))) ?? fail('PROVIDER_REFUSED');
    const backTo = new URL(login.return_url);
    const owner = login.flow_id;
    try {
      const provider = (await findUsableProvider(data, providerId, owner)) ?? refuse('inactive');
      const response = { state, ...rest };
      const identified = this.#identify(tenant, provider, response, login.asks_login);
      const stored = isTest(owner) ? await testResultOf(identified) : (await identified).identity;
      const handoff = newHandoff(clock.now());
      const isStored = await data.transaction((tx) => storeResponse(tx, hash, handoff, stored));
      if (!isStored) refuse('replaced');
      backTo.searchParams.set('handoff', handoff.handoff);
    } catch (error) {
      if (!(error instanceof UpstreamRefused)) throw error;
      this.#notes.note(tenant.id, anonymous(from), {
        action: 'auth.login_failed',
        method: 'provider',
        target: { kind: 'identifier', id: null },
        outcome: 'failure',
        details: { reason: `provider_${error.reason}`, identifier: null, flow_id: owner },
      });
      const isDeclined = error.reason === DECLINED && parameters.error === 'access_denied';
      backTo.searchParams.set('error', isDeclined ? 'access_denied' : 'provider_refused');
    }
    return backTo;
  }

  /** Exchanges the code, and reads the identity of the user. @throws UpstreamRefused */
  async #identify(
    tenant: Tenant,
    provider: Provider,
    response: AuthorizationResponse,
    needsLogin: boolean,
  ): Promise<IdentifiedUser> {
    const { clock, dataKeys, baseUrl } = this.#core;
    const { type, clientId, settings } = provider;
    const captures = tenant.providers.find(({ id }) => id === provider.id)?.captures ?? [];
    const metadata = await this.#client.findMetadata(provider);
    const { nonce, verifier, secret } = await dataKeys.use(tenant.id, (key) => ({
      ...loginSecretsOf(key, response.state),
      secret: clientSecretOf(key, provider),
    }));
    const isSigned = type === 'apple' && secret !== undefined;
    const { idToken, accessToken } = await this.#client.exchangeCode({
      tenantId: tenant.id,
      metadata,
      clientId,
      clientSecret: isSigned ? appleSecret({ clientId, ...settings }, secret, clock.now()) : secret,
      redirectUri: callbackUrlOf(baseUrl(), provider),
      verifier,
      response,
    });
    if (issuesIdTokens(type)) {
      const { userinfoEndpoint } = metadata;
      const tokens = { idToken, accessToken, userinfoEndpoint, nonce, needsLogin, captures };
      return this.#readIdToken(provider, tokens);
    }
    const access = { tenantId: tenant.id, accessToken: accessToken ?? refuse('no_access_token') };
    const { subject, claims } =
      type === 'github'
        ? await this.#client.readGithubProfile(access, settings.issuer)
        : await this.#client.readProfile(access, settings);
    return { identity: identityOf(provider, subject, claims, captures), claims };
  }

  async #readIdToken(provider: Provider, response: IdTokenResponse): Promise<IdentifiedUser> {
    const { idToken, nonce, needsLogin } = response;
    const { tenantId, type, clientId, settings } = provider;
    const token = parseOutsideToken(idToken ?? '') ?? refuse('id_token_malformed');
    const { claims } = token;
    const isMicrosoft = type === 'microsoft';
    const issuer = isMicrosoft ? issuerOfDirectory(settings, claims) : settings.issuer;
    if (issuer === undefined) return refuse('id_token_tid');
    const found = await this.#issuerKeys.find(tenantId, issuer, token);
    if (!found.key) return refuse('id_token_key');
    const expected = { issuer, clientId, nonce, needsLogin };
    const checked = checkIdToken(token, [found.key], expected, this.#core.clock.now());
    if (checked.refusal !== undefined) return refuse(`id_token_${checked.refusal}`);
    const subject = isMicrosoft ? directorySubject(claims) : checked.subject;
    const all = isMicrosoft ? claims : await this.#withUserinfo(provider, claims, response);
    const { captures } = response;
    const identity = identityOf(provider, subject ?? refuse('id_token_oid'), all, captures);
    return { identity, claims: all };
  }

  /** Some providers return the email address only at this endpoint (OpenID Connect Core 1.0 §5.4). */
  async #withUserinfo(
    { tenantId }: Provider,
    claims: Claims,
    { accessToken, userinfoEndpoint: userinfo_endpoint }: IdTokenResponse,
  ): Promise<Claims> {
    if ('email' in claims || userinfo_endpoint === undefined || accessToken === undefined) {
      return claims;
    }
    const endpoint = { userinfo_endpoint, subject_claim: 'sub' };
    const profile = await this.#client.readProfile({ tenantId, accessToken }, endpoint);
    // OpenID Connect Core 1.0 §5.3.2: a different subject means a substituted token.
    if (profile.subject !== claims['sub']) refuse('userinfo_sub');
    const { email, email_verified } = profile.claims;
    return { ...claims, email, email_verified };
  }
}

/** The result of a test: why the provider's response is not accepted, and all claims except the nonce. */
async function testResultOf(identified: Promise<IdentifiedUser>): Promise<TestResult> {
  try {
    const { identity, claims } = await identified;
    const { nonce: _nonce, ...shown } = claims;
    const isShort = JSON.stringify(shown).length <= LARGEST_CLAIMS;
    return { reason: null, identity, claims: isShort ? shown : null };
  } catch (error) {
    if (!(error instanceof UpstreamRefused)) throw error;
    return { reason: error.reason, identity: null, claims: null };
  }
}

function refuse(reason: string): never {
  throw new UpstreamRefused(reason);
}

const CLOCK_SKEW_SECONDS = 60;
/** A token is redeemed immediately: an older token is a replay. */
const MAX_AGE_SECONDS = 300;
/** A login can take as long as its state is valid. */
const MAX_LOGIN_AGE_SECONDS = 660;
/** OpenID Connect Core 1.0 §2: at most 255 ASCII characters. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

/** The expected claims of an ID token. */
interface Expected {
  readonly issuer: string;
  readonly clientId: string;
  readonly nonce: string;
  /** The user was required to log in again. */
  readonly needsLogin?: boolean;
}

export type CheckedIdToken =
  | { readonly subject: string; readonly refusal?: undefined }
  /** The claim that failed, or `signature`. */
  | {
      readonly refusal:
        | 'signature'
        | 'iss'
        | 'sub'
        | 'aud'
        | 'azp'
        | 'exp'
        | 'iat'
        | 'nonce'
        | 'auth_time';
    };

/**
 * Checks an ID token (OpenID Connect Core 1.0 §3.1.3.7). The signature is verified although the token came over TLS
 * (ASVS 5.0 V6.8.2).
 */
export function checkIdToken(
  token: OutsideToken,
  keys: readonly OutsideKey[],
  expected: Expected,
  now: Date,
): CheckedIdToken {
  const key = keyOf(token, keys);
  if (!key || !outsideSignatureIsValid(token, key)) return { refusal: 'signature' };
  const { iss, sub, nonce } = token.claims;
  if (iss !== expected.issuer) return { refusal: 'iss' };
  const refusal = audienceRefusal(token, expected) ?? timeRefusal(token, now);
  if (refusal) return { refusal };
  if (nonce !== expected.nonce) return { refusal: 'nonce' };
  if (expected.needsLogin && !isRecentLogin(token, now)) return { refusal: 'auth_time' };
  return typeof sub === 'string' && SUBJECT.test(sub) ? { subject: sub } : { refusal: 'sub' };
}

/** With several audiences, `azp` must name the client. */
function audienceRefusal({ claims }: OutsideToken, { clientId }: Expected) {
  const { aud, azp } = claims;
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!audiences.includes(clientId)) return 'aud';
  const isAlone = audiences.length === 1 && azp === undefined;
  return isAlone || azp === clientId ? undefined : 'azp';
}

function timeRefusal({ claims: { exp, iat } }: OutsideToken, now: Date) {
  const seconds = now.getTime() / 1000;
  if (!isTime(exp) || exp + CLOCK_SKEW_SECONDS <= seconds) return 'exp';
  const isRecent =
    isTime(iat) && iat <= seconds + CLOCK_SKEW_SECONDS && iat > seconds - MAX_AGE_SECONDS;
  return isRecent ? undefined : 'iat';
}

/** Some providers omit `auth_time`. */
function isRecentLogin({ claims: { auth_time: at } }: OutsideToken, now: Date): boolean {
  return at === undefined || (isTime(at) && at > now.getTime() / 1000 - MAX_LOGIN_AGE_SECONDS);
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** The wait after too many tests: until the last one has expired. */
const WAIT_SECONDS = 600;

/** Runs test logins that let administrators try the settings of a provider. */
export class ProviderTestService {
  readonly #gate: Gate;
  readonly #requests: AuthorizationRequests;

  constructor(gate: Gate, requests: AuthorizationRequests) {
    this.#gate = gate;
    this.#requests = requests;
  }

  /** Starts a test login. @returns the URL to redirect the tester's browser to */
  async start(
    tenant: Tenant,
    caller: Caller,
    { provider, returnUrl }: { readonly provider: string; readonly returnUrl: string },
    fail: Fail<
      | 'NOT_FOUND'
      | 'RETURN_URL_UNKNOWN'
      | 'PROVIDER_REFUSED'
      | 'TOO_MANY_ATTEMPTS'
      | 'SCOPE_NOT_HELD'
    >,
  ): Promise<string> {
    await this.#gate.into(tenant.id).transaction((tx) => requireAsMuchAsAnyone(tx, caller, fail));
    const isHosted = returnUrl === testPageOf(tenant, provider);
    const login = { owner: testOwner(caller), identifier: '', needsLogin: false };
    const url = await this.#requests.start(tenant, login, { provider, returnUrl, isHosted }, fail);
    return url ?? fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds: WAIT_SECONDS });
  }

  /** The result of a test, which can be read once. */
  finish(
    tenant: Tenant,
    caller: Caller,
    { provider, handoff }: { readonly provider: string; readonly handoff: string },
    fail: Fail<'NOT_FOUND' | 'PROVIDER_REFUSED' | 'SCOPE_NOT_HELD'>,
  ): Promise<ProviderTest> {
    const id = parseIdentityProviderId(provider) ?? fail('NOT_FOUND');
    return this.#gate.into(tenant.id).transaction(async (tx) => {
      await requireAsMuchAsAnyone(tx, caller, fail);
      if (!(await findProvider(tx, id))) fail('NOT_FOUND');
      const taken = await takeTestResult(tx, id, handoffHash(handoff));
      const { result, version } = taken ?? fail('PROVIDER_REFUSED');
      const testedAt = result.reason === null ? await markTested(tx, id, version) : undefined;
      await record(tx, caller, {
        action: 'identity_provider.tested',
        target: { kind: 'identity_provider', id },
        details: result.reason === null ? {} : { reason: result.reason },
        events: [],
      });
      return present(tenant, id, result, testedAt);
    });
  }
}

function present(
  { id: tenantId }: Tenant,
  providerId: IdentityProviderId,
  { reason, identity, claims }: TestResult,
  testedAt: Date | undefined,
): ProviderTest {
  return {
    provider_id: providerId,
    tenant_id: tenantId,
    accepted: reason === null,
    reason,
    subject: identity?.subject ?? null,
    email: identity?.email ?? null,
    is_verified: identity?.is_verified ?? false,
    is_authoritative: identity?.is_authoritative ?? false,
    has_mfa: identity?.has_mfa ?? false,
    tested_at: testedAt?.toISOString() ?? null,
    claims: claims && { ...claims },
  };
}
