import { createHash, randomBytes } from 'node:crypto';
import type { Fail } from '@keywright/contract/errors';
import { type BodyOf, type ErrorsOf, type OkOf, pathTo } from '@keywright/contract/route';
import { openTestLogin, type startTestLogin } from '@keywright/contract/routes/test-logins';
import { missingScopes } from '@keywright/contract/scopes';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import { randomId } from '../../../platform/crypto/ids.ts';
import { SeeOther } from '../../../platform/http/replies.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { BrowserLogins } from '../../tokens/sessions/index.ts';
import {
  type AuthorizationRequest,
  type Interactions,
  type RequestReader,
  continuePath,
} from '../authorize/index.ts';
import { type Clients, type LoadedClient, requireOAuth } from '../clients/index.ts';
import { type SealedTests, type TestLogin, resultUrl } from './test-login.ts';

/** How long the URL of a test can be opened. */
const START_SECONDS = 5 * 60;
/** How long the user can take to log in, as on any login page. */
const LOGIN_SECONDS = 30 * 60;

/** The permission to test the logins of clients. */
export const TESTING_SCOPE = 'write:clients';
const NO_LOGINS = 'The client does not log users in with authorization codes.';

/** Takes the place of the challenge in a request that is only checked. */
const ANY_CHALLENGE = 'A'.repeat(43);

interface BrowserCookies {
  readonly session?: string;
  readonly flow?: string;
}

/** Starts logins in which a page of the service takes the place of a client. */
export class TestLoginStart {
  readonly #clock: Clock;
  readonly #clients: Clients;
  readonly #reader: RequestReader;
  readonly #interactions: Interactions;
  readonly #browserLogins: BrowserLogins;
  readonly #tests: SealedTests;

  constructor(
    clock: Clock,
    clients: Clients,
    reader: RequestReader,
    interactions: Interactions,
    browserLogins: BrowserLogins,
    tests: SealedTests,
  ) {
    this.#clock = clock;
    this.#clients = clients;
    this.#reader = reader;
    this.#interactions = interactions;
    this.#browserLogins = browserLogins;
    this.#tests = tests;
  }

  /** @returns a URL that only a browser with the caller's login can open */
  async start(
    tenant: Tenant,
    caller: Caller,
    clientId: string,
    { scopes, prompt }: BodyOf<typeof startTestLogin>,
    fail: Fail<ErrorsOf<typeof startTestLogin>>,
  ): Promise<OkOf<typeof startTestLogin>> {
    requireOAuth(tenant, fail);
    if (caller.kind !== 'user') {
      return fail(caller.kind === 'impersonator' ? 'IMPERSONATION_REFUSED' : 'USER_REQUIRED');
    }
    const client = (await this.#clients.find(tenant.id, clientId)) ?? fail('NOT_FOUND');
    const exp = epochSeconds(this.#clock.now()) + START_SECONDS;
    const by = { userId: caller.subject, sessionId: caller.sessionId };
    const test: TestLogin = { id: randomId(), clientId: client.id, by, scopes, prompt, exp };
    const request = await this.#requestOf(tenant, client, test);
    if (typeof request === 'string') return fail('VALIDATION_FAILED', { detail: request });
    const url = new URL(pathTo(openTestLogin, { tenant_id: tenant.id }), tenant.issuer);
    url.searchParams.set('test', await this.#tests.seal(tenant, test));
    return { url: url.href, expires_at: new Date(exp * 1000).toISOString() };
  }

  /** Sends the administrator's browser to the login page, and binds the result to this browser. */
  async open(
    tenant: Tenant,
    sealed: string,
    { session, flow = randomId() }: BrowserCookies,
    fail: Fail<'FORM_TOO_OLD' | 'OAUTH_OFF'>,
  ): Promise<SeeOther<'flow'>> {
    requireOAuth(tenant, fail);
    const test = (await this.#tests.open(tenant, sealed)) ?? fail('FORM_TOO_OLD');
    if (!(await this.#isTester(tenant, test, session))) return fail('FORM_TOO_OLD');
    const client = (await this.#clients.find(tenant.id, test.clientId)) ?? fail('FORM_TOO_OLD');
    const checked = await this.#requestOf(tenant, client, test);
    if (typeof checked === 'string') return fail('FORM_TOO_OLD', { internal: checked });
    if (!(await this.#tests.take(tenant, 'start', test))) return fail('FORM_TOO_OLD');
    const verifier = randomBytes(32).toString('base64url');
    const exp = epochSeconds(this.#clock.now()) + LOGIN_SECONDS;
    const opened = { ...test, verifier, requested: checked.scopes, exp };
    const request: AuthorizationRequest = {
      ...checked,
      redirectUri: resultUrl(tenant),
      state: await this.#tests.seal(tenant, opened, flow),
      challenge: challengeOf(verifier),
      test: test.id,
    };
    const interaction = await this.#interactions.seal(tenant, flow, { request, done: {} });
    return new SeeOther(continuePath(tenant, interaction), [{ name: 'flow', value: flow }]);
  }

  /** Whether the browser is logged in as the administrator, who can still change clients. */
  async #isTester(
    tenant: Tenant,
    { by }: TestLogin,
    session: string | undefined,
  ): Promise<boolean> {
    const login = await this.#browserLogins.find(tenant, session, null, this.#clock.now());
    return login?.userId === by.userId && missingScopes(login.scopes, [TESTING_SCOPE]).length === 0;
  }

  /**
   * Checks the request by the rules of the client. It counts as pushed and signed, because only the service writes it.
   * @returns why the request is rejected, if it is
   */
  async #requestOf(
    tenant: Tenant,
    client: LoadedClient,
    { scopes, prompt }: TestLogin,
  ): Promise<AuthorizationRequest | string> {
    const [redirectUri] = client.redirect_uris;
    const hasCodes = client.grant_types.includes('authorization_code');
    if (!hasCodes || redirectUri === undefined) return NO_LOGINS;
    const parameters = new URLSearchParams({
      client_id: client.id,
      redirect_uri: redirectUri,
      response_type: 'code',
      nonce: randomId(),
      code_challenge: ANY_CHALLENGE,
      code_challenge_method: 'S256',
      ...(scopes && { scope: scopes.join(' ') }),
      ...(prompt && { prompt }),
    });
    const effective = { parameters, isSigned: true };
    const verdict = await this.#reader.check(tenant, client, effective, { isPushed: true });
    if (verdict.kind === 'valid') return verdict.request;
    return verdict.kind === 'rejected' ? verdict.rejection.description : NO_LOGINS;
  }
}

/** RFC 7636 §4.2. */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
