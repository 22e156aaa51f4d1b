import { AppError, type ErrorCode, type Fail } from '@keywright/contract/errors';
import type { OAuthClientId, TenantId } from '@keywright/contract/ids';
import type { FlowNeed, LoginFlow } from '@keywright/contract/records/login-flow';
import type { ErrorsOf, OkOf } from '@keywright/contract/route';
import { AuthorizationParameters } from '@keywright/contract/routes/authorize';
import type { authorizeChallenge } from '@keywright/contract/routes/authorize-challenge';
import { startFlow, cancelFlow } from '@keywright/contract/routes/login-flows';
import { preferredLocale } from '../../../platform/texts/locales.ts';
import { type Device, type Origin, SessionCookie } from '../../../tenancy/caller.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Flows } from '../../authentication/flows/index.ts';
import type { ProvenKey } from '../../tokens/access-tokens/index.ts';
import {
  type AuthorizationRequest,
  failDirectly,
  weakestOf,
  type AuthorizationContexts,
  type AuthorizationGrants,
  type AuthorizationResponse,
  type DirectFail,
  invalidRequest,
  type RequestReader,
  UNREGISTERED_REDIRECT_URI,
  type Verdict,
} from '../authorize/index.ts';
import { type LoadedClient, mayLogInInApp } from '../clients/index.ts';
import type { PushedRequests, Seals } from '../grants/index.ts';
import type { ClientAuthentication } from '../token-endpoint/index.ts';
import {
  type ChallengeBody,
  inAppNeeds,
  InAppSteps,
  type RequestedStep,
  stepIn,
  type StepOutput,
  type StepResult,
} from './in-app-steps.ts';

/** A request to the authorization challenge endpoint. */
interface ChallengeRequest {
  readonly tenant: Tenant;
  readonly body: ChallengeBody;
  readonly authorization: string | undefined;
  readonly device: Device;
  /** The key to which the login and its code are bound. */
  readonly key: ProvenKey | undefined;
}

type ChallengeFail = Fail<ErrorsOf<typeof authorizeChallenge>>;
type ChallengeResponse = OkOf<typeof authorizeChallenge>;

/** The state of a login, which the application carries between requests as its `auth_session`. */
interface AuthSession {
  /** The authorization request, form-encoded. */
  readonly form: string;
  readonly flow: { readonly id: string; readonly token: string };
}

/** A login in progress, with the client's authorization request. */
interface LoginInProgress {
  readonly call: ChallengeRequest;
  readonly client: LoadedClient;
  readonly request: AuthorizationRequest;
  readonly session: AuthSession;
}

const NOT_ALLOWED = {
  detail:
    'This client is not allowed to use in-app login. An administrator can allow it with in_app_login.',
};
const SEVERAL_STEPS = { errors: [{ path: '', message: 'must contain at most one step' }] };
const LOGIN_HINT_INVALID = {
  errors: [
    { path: '/login_hint', message: 'must be an email address or a phone number in E.164 form' },
  ],
};
const CHANGED = { internal: 'changed' };

/** Errors of a step that do not end the login. */
const RETRYABLE_ERRORS: readonly ErrorCode[] = [
  'INVALID_CREDENTIALS',
  'CODE_WRONG',
  'PASSKEY_REFUSED',
  'STEP_NOT_NEEDED',
  'DESTINATION_REFUSED',
];
/** Errors of a step that end the login. */
const FINAL_ERRORS: readonly ErrorCode[] = ['FLOW_ENDED', 'NOT_FOUND'];

/**
 * Logs users in inside an application that the tenant trusts with their credentials
 * (draft-ietf-oauth-first-party-apps-04). Each step is a step of a login flow, which limits and records it. The
 * request is checked as it is at the authorization endpoint.
 */
export class InAppLoginService {
  readonly #authentication: ClientAuthentication;
  readonly #requests: InAppRequests;
  readonly #seals: Seals;
  readonly #pushedRequests: PushedRequests;
  readonly #flows: Pick<Flows, 'read'>;
  readonly #perform: Router['perform'];
  readonly #steps: InAppSteps;

  constructor(
    authentication: ClientAuthentication,
    requests: InAppRequests,
    seals: Seals,
    pushedRequests: PushedRequests,
    flows: Pick<Flows, 'read'>,
    perform: Router['perform'],
  ) {
    this.#authentication = authentication;
    this.#requests = requests;
    this.#seals = seals;
    this.#pushedRequests = pushedRequests;
    this.#flows = flows;
    this.#perform = perform;
    this.#steps = new InAppSteps(perform);
  }

  async logIn(call: ChallengeRequest, fail: ChallengeFail): Promise<ChallengeResponse> {
    const { tenant, body, authorization, device, key } = call;
    const identification = { tenant, parameters: body, authorization, from: device.from };
    // Read from the database, since an administrator might have just withdrawn the client's right.
    const client = await this.#authentication.client(identification, fail);
    if (!mayLogInInApp(client)) return fail('CLIENT_UNAUTHORIZED', NOT_ALLOWED);
    const step = stepIn(body);
    if (step === 'several') return fail('VALIDATION_FAILED', SEVERAL_STEPS);
    if (body.auth_session === undefined) return this.#start(call, client, step, fail);
    const session = await this.#openSession(body.auth_session, contextOf(call, client), fail);
    await key?.requireUnused(fail);
    const request = await this.#requests.check(tenant, client, session.form, fail);
    const login = { call, client, request, session };
    if (step) return this.#runStep(login, step, fail);
    return this.#challenge(login, await this.#readFlow(login, fail), {}, fail);
  }

  /** Starts a login flow for a new request. */
  async #start(
    call: ChallengeRequest,
    client: LoadedClient,
    step: RequestedStep | undefined,
    fail: ChallengeFail,
  ): Promise<ChallengeResponse> {
    const { tenant, body, key } = call;
    const form = await this.#requests.read(tenant, client, body, key, fail);
    await key?.requireUnused(fail);
    const request = await this.#requests.check(tenant, client, form, fail);
    const started = await this.#startFlow(call, request);
    const session = { form, flow: { id: started.flow.id, token: started.flow_token } };
    const login = { call, client, request, session };
    if (request.prompts.includes('create')) return this.#redirectToWeb(login, fail);
    if (step) return this.#runStep(login, step, fail);
    return this.#challenge(login, started.flow, {}, fail);
  }

  async #startFlow(
    { tenant, device, body: { device_token: deviceToken } }: ChallengeRequest,
    { loginHint: identifier, uiLocales, acrValues }: AuthorizationRequest,
  ) {
    const acr = weakestOf(acrValues);
    const locale = preferredLocale({ wished: uiLocales });
    const body = {
      ...(identifier && { identifier }),
      ...(acr && { acr }),
      ...(locale && { locale }),
      ...(deviceToken && { device_token: deviceToken }),
    };
    try {
      return await this.#perform(startFlow, { tenant, device, params: {}, body });
    } catch (error) {
      const isInvalid = error instanceof AppError && error.code === 'VALIDATION_FAILED';
      throw isInvalid ? new AppError('VALIDATION_FAILED', LOGIN_HINT_INVALID) : error;
    }
  }

  /** Runs a step, which completes the login or responds with the next steps. */
  async #runStep(
    login: LoginInProgress,
    { name, value }: RequestedStep,
    fail: ChallengeFail,
  ): Promise<ChallengeResponse> {
    const { call, session } = login;
    // Never sent to the application: the cookie identifies the login to which the application's tokens belong.
    const cookie = new SessionCookie();
    let result: StepResult;
    try {
      result = await this.#steps.run(name, {
        tenant: call.tenant,
        device: { ...call.device, cookie },
        flow: session.flow,
        value,
        deviceToken: call.body.device_token,
      });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (FINAL_ERRORS.includes(error.code)) return fail('AUTH_SESSION_INVALID');
      if (!RETRYABLE_ERRORS.includes(error.code)) throw error;
      return this.#challenge(login, await this.#readFlow(login, fail), { refused: error }, fail);
    }
    const { flow, output = {}, deviceToken } = result;
    if (cookie.value === undefined) return this.#challenge(login, flow, { output }, fail);
    const code = await this.#issueCode(login, cookie, fail);
    const { recovery_code: recoveryCode } = output;
    return {
      authorization_code: code,
      ...(deviceToken !== undefined && { device_token: deviceToken }),
      ...(recoveryCode !== undefined && { recovery_code: recoveryCode }),
    };
  }

  async #issueCode(
    login: LoginInProgress,
    cookie: SessionCookie,
    fail: ChallengeFail,
  ): Promise<string> {
    const { call, request } = login;
    const { from } = call.device;
    const response = await this.#requests.respond(call.tenant, request, cookie, from, fail);
    if (!response) return this.#redirectToWeb(login, fail);
    return 'code' in response ? response.code : failDirectly(response, fail);
  }

  async #readFlow({ call, session }: LoginInProgress, fail: ChallengeFail): Promise<LoginFlow> {
    const { id, token } = session.flow;
    return this.#flows.read(call.tenant, id, token, () => fail('AUTH_SESSION_INVALID'));
  }

  /**
   * Fails with the next steps of the login.
   * @param response `refused` is the error of the step in this request
   */
  async #challenge(
    login: LoginInProgress,
    {
      status,
      needs,
    }: { readonly status: LoginFlow['status']; readonly needs: readonly FlowNeed[] },
    { output, refused }: { readonly output?: StepOutput; readonly refused?: AppError },
    fail: ChallengeFail,
  ): Promise<never> {
    if (status !== 'needs') return fail('AUTH_SESSION_INVALID');
    const next = inAppNeeds(needs);
    if (next.length === 0) return this.#redirectToWeb(login, fail, output);
    const { call, client, session } = login;
    const authSession = await this.#seals.seal(session, contextOf(call, client));
    const { guessesLeft, unknownPasskey } = refused?.options ?? {};
    return fail('INSUFFICIENT_AUTHORIZATION', {
      login: {
        auth_session: authSession,
        needs: next,
        ...output,
        ...(refused && { refused: refused.code }),
      },
      ...(guessesLeft !== undefined && { guessesLeft }),
      ...(unknownPasskey && { unknownPasskey }),
    });
  }

  /**
   * Redirects a login that cannot continue in the application. The user proves everything again in the browser:
   * otherwise a browser with an attacker's request could end up in the attacker's account.
   */
  async #redirectToWeb(
    { call: { tenant, device }, client, request, session }: LoginInProgress,
    fail: ChallengeFail,
    { recovery_code: recoveryCode }: Pick<StepOutput, 'recovery_code'> = {},
  ): Promise<never> {
    const { id, token } = session.flow;
    const params = { flow_id: id };
    await this.#perform(cancelFlow, { tenant, device, params, body: { flow_token: token } });
    const output = recoveryCode === undefined ? {} : { recovery_code: recoveryCode };
    // Without a redirect URI, the application must make another request for the browser.
    if (request.redirectUri === '') return fail('REDIRECT_TO_WEB', { login: output });
    const pushed = await this.#pushedRequests.push(tenant.id, client, session.form);
    const { requestUri, expiresInSeconds } = pushed ?? fail('CLIENT_INVALID', CHANGED);
    return fail('REDIRECT_TO_WEB', {
      login: { ...output, request_uri: requestUri, expires_in: expiresInSeconds },
    });
  }

  /** @throws AppError AUTH_SESSION_INVALID unless the auth session was sealed for this client and its key */
  async #openSession(
    text: string,
    context: ReturnType<typeof contextOf>,
    fail: ChallengeFail,
  ): Promise<AuthSession> {
    const opened = await this.#seals.open(text, context);
    return (opened as AuthSession | undefined) ?? fail('AUTH_SESSION_INVALID');
  }
}

/**
 * Returns the context for sealing an auth session. The flow records the completed proofs, and whether the login can
 * continue.
 */
function contextOf(
  { tenant, key }: ChallengeRequest,
  { id: clientId }: { readonly id: OAuthClientId },
): { readonly tenantId: TenantId; readonly purpose: 'auth session'; readonly boundTo: string } {
  const boundTo = `${clientId} ${key?.jkt ?? ''}`;
  return { tenantId: tenant.id, purpose: 'auth session', boundTo };
}

/** The maximum length of a form-encoded request, which the client carries, sealed, through its login. */
const MAX_LENGTH = 8192;

const PARAMETERS = Object.keys(AuthorizationParameters.properties);

const CHANNEL = { isPushed: true, isInApp: true };

const TOO_LONG = invalidRequest('The request is longer than 8 KiB.');
const PROMPT_NONE = invalidRequest('prompt=none is not supported: each request is a login.');
const ID_TOKEN_HINT = invalidRequest(
  'id_token_hint is not supported: use login_hint to name the user.',
);

/** Authorization requests whose users log in inside the client (draft-ietf-oauth-first-party-apps). */
export class InAppRequests {
  readonly #reader: RequestReader;
  readonly #contexts: AuthorizationContexts;
  readonly #grants: AuthorizationGrants;

  constructor(reader: RequestReader, contexts: AuthorizationContexts, grants: AuthorizationGrants) {
    this.#reader = reader;
    this.#contexts = contexts;
    this.#grants = grants;
  }

  /** @returns the valid request, form-encoded, without the parameters that authenticate the client or the user */
  async read(
    tenant: Tenant,
    client: LoadedClient,
    body: object,
    key: ProvenKey | undefined,
    fail: DirectFail,
  ): Promise<string> {
    const parameters = Object.fromEntries(
      Object.entries(body).filter(([name]) => PARAMETERS.includes(name)),
    );
    const request = await this.#reader.readFromClient(tenant, client, parameters, key, fail);
    requireValid(await this.#reader.check(tenant, client, request, CHANNEL), fail);
    const form = request.parameters.toString();
    return form.length <= MAX_LENGTH ? form : failDirectly(TOO_LONG, fail);
  }

  /** Checks the form again against the current rights of the client. */
  async check(
    tenant: Tenant,
    client: LoadedClient,
    form: string,
    fail: DirectFail,
  ): Promise<AuthorizationRequest> {
    // The signature was verified when the request was read.
    const request = { parameters: new URLSearchParams(form), isSigned: true };
    return requireValid(await this.#reader.check(tenant, client, request, CHANNEL), fail);
  }

  /**
   * Responds to the request after a login.
   * @returns undefined if the login can only continue on pages
   * @throws AppError AUTH_SESSION_INVALID if the client has changed in the meantime
   */
  async respond(
    tenant: Tenant,
    request: AuthorizationRequest,
    { value, sessionId }: SessionCookie,
    from: Origin,
    fail: Fail<'AUTH_SESSION_INVALID'>,
  ): Promise<AuthorizationResponse | undefined> {
    const done = sessionId === undefined ? {} : { login: sessionId };
    const context =
      (await this.#contexts.load(tenant, { request, done }, value)) ?? fail('AUTH_SESSION_INVALID');
    const { decision, login } = context;
    if (decision.kind === 'page' || !login) return undefined;
    return decision.kind === 'error' ? decision : this.#grants.issueCode(context, login, from);
  }
}

function requireValid(verdict: Verdict, fail: DirectFail): AuthorizationRequest {
  if (verdict.kind === 'untrusted') return fail('VALIDATION_FAILED', UNREGISTERED_REDIRECT_URI);
  if (verdict.kind === 'rejected') return failDirectly(verdict.rejection, fail);
  const { request } = verdict;
  if (request.prompts.includes('none')) return failDirectly(PROMPT_NONE, fail);
  return request.idTokenHint === undefined ? request : failDirectly(ID_TOKEN_HINT, fail);
}
