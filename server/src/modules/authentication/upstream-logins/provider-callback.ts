import type { Fail } from '@keywright/contract/errors';
import { parseIdentityProviderId } from '@keywright/contract/ids';
import { parseOutsideToken } from '../../../platform/crypto/outside-jws.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { anonymous, type Notes } from '../../events/journal/index.ts';
import type { IssuerKeys } from '../../tokens/proofs/index.ts';
import {
  callbackUrlOf,
  clientSecretOf,
  directorySubject,
  identityOf,
  issuerOfDirectory,
  issuesIdTokens,
  type Provider,
  type UpstreamIdentity,
} from '../identity-providers/index.ts';
import {
  findUsableProvider,
  loginSecretsOf,
  newHandoff,
  stateHash,
} from './authorization-requests.ts';
import { checkIdToken } from './id-token.ts';
import {
  appleSecret,
  type AuthorizationResponse,
  type ProviderClient,
  UpstreamRefused,
} from './provider-client.ts';
import { isTest, storeResponse, takeState, type TestResult } from './upstream-login-store.ts';

/** The error code of the library for a response with an `error`. */
const DECLINED = 'oauth_authorization_response_error';
const LARGEST_CLAIMS = 16_384;

type Claims = Readonly<Record<string, unknown>>;

/** A request with which a provider redirects the browser back. */
interface CallbackRequest {
  readonly provider: string;
  readonly parameters: Omit<AuthorizationResponse, 'state'> & {
    readonly state?: string | undefined;
  };
  readonly from: Origin;
}

interface IdentifiedUser {
  readonly identity: UpstreamIdentity;
  /** The claims from which the identity was read. */
  readonly claims: Claims;
}

interface IdTokenResponse {
  readonly idToken: string | undefined;
  readonly accessToken: string | undefined;
  readonly userinfoEndpoint: string | undefined;
  readonly nonce: string;
  readonly asksLogin: boolean;
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
   * Reads the identity of the user, and stores it for the owner of the login. The state is used up, also by a failure.
   * @returns the URL to which the browser is redirected
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
    asksLogin: boolean,
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
      const tokens = { idToken, accessToken, userinfoEndpoint, nonce, asksLogin, captures };
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
    const { idToken, nonce, asksLogin } = response;
    const { tenantId, type, clientId, settings } = provider;
    const token = parseOutsideToken(idToken ?? '') ?? refuse('id_token_malformed');
    const { claims } = token;
    const isMicrosoft = type === 'microsoft';
    const issuer = isMicrosoft ? issuerOfDirectory(settings, claims) : settings.issuer;
    if (issuer === undefined) return refuse('id_token_tid');
    const found = await this.#issuerKeys.find(tenantId, issuer, token);
    if (!found.key) return refuse('id_token_key');
    const expected = { issuer, clientId, nonce, asksLogin };
    const checked = checkIdToken(token, [found.key], expected, this.#core.clock.now());
    if (checked.refusal !== undefined) return refuse(`id_token_${checked.refusal}`);
    const subject = isMicrosoft ? directorySubject(claims) : checked.subject;
    const all = isMicrosoft ? claims : await this.#withUserinfo(provider, claims, response);
    const { captures } = response;
    const identity = identityOf(provider, subject ?? refuse('id_token_oid'), all, captures);
    return { identity, claims: all };
  }

  /** Providers may return the email address only at that endpoint (OpenID Connect Core 1.0 §5.4). */
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
    // OpenID Connect Core 1.0 §5.3.2: another subject is a substituted token.
    if (profile.subject !== claims['sub']) refuse('userinfo_sub');
    const { email, email_verified } = profile.claims;
    return { ...claims, email, email_verified };
  }
}

/** A test reports why the response of a provider is not accepted, and all claims except the nonce. */
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
