import { AppError, type ErrorCode, type Fail } from '@keywright/contract/errors';
import type { OAuthClientId, TenantId } from '@keywright/contract/ids';
import type { Challenge } from '@keywright/contract/records/in-app-login';
import type { FlowNeed, LoginFlow } from '@keywright/contract/records/login-flow';
import type { ErrorsOf, OkOf } from '@keywright/contract/route';
import type { authorizeChallenge } from '@keywright/contract/routes/authorize-challenge';
import { beginFlow, cancelFlow } from '@keywright/contract/routes/login-flows';
import { preferredLocale } from '../../../platform/texts/locales.ts';
import type { Device } from '../../../tenancy/device.ts';
import type { Router } from '../../../tenancy/router.ts';
import { SessionCookie } from '../../../tenancy/session-cookie.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Flows } from '../../authentication/flows/index.ts';
import type { ProvenKey } from '../../tokens/access-tokens/index.ts';
import {
  refuse as refuseRequest,
  weakestOf,
  type AuthorizationRequest,
  type InAppRequests,
} from '../authorize/index.ts';
import { type KnownClient, mayLogInInApp } from '../clients/index.ts';
import type { PushedRequests, Seals } from '../codes/index.ts';
import type { Identify } from '../token-endpoint/index.ts';
import {
  type SentStep,
  stepIn,
  createSteps,
  type Stepped,
  type ChallengeBody,
  inAppNeeds,
} from './in-app-steps.ts';

const NOT_LET =
  'This client may not log users in inside itself. An administrator decides: in_app_login.';

const SEVERAL = {
  errors: [{ path: '', message: 'must go on with one step at most' }],
};
const ODD_HINT = {
  errors: [
    { path: '/login_hint', message: 'must be an e-mail address or a phone number in E.164 form' },
  ],
};

/** Refusals of a step after which the login goes on. */
const REFUSALS: readonly ErrorCode[] = [
  'INVALID_CREDENTIALS',
  'CODE_WRONG',
  'PASSKEY_REFUSED',
  'STEP_NOT_NEEDED',
  'DESTINATION_REFUSED',
];
/** And those after which nothing does. */
const ENDS: readonly ErrorCode[] = ['FLOW_ENDED', 'NOT_FOUND'];

/**
 * Logs users in inside an application that the tenant trusts with what they type (draft-ietf-oauth-first-party-apps-04).
 * Each step is one of a login flow, which limits and records it; the request is judged as at the authorization endpoint.
 */
export function createLogInInApp(dependencies: InAppDependencies): LogInInApp {
  const { identify, inAppRequests } = dependencies;
  const authSessions = createAuthSessions(dependencies.seals);
  return async (call, fail) => {
    const { tenant, body, authorization, device, key } = call;
    const asking = { tenant, parameters: body, authorization, from: device.from };
    // As it is now: an administrator may have taken the right back a moment ago.
    const client = await identify.client(asking, fail);
    if (!mayLogInInApp(client)) return fail('CLIENT_UNAUTHORIZED', { detail: NOT_LET });
    const step = stepIn(body);
    if (step === 'several') return fail('VALIDATION_FAILED', SEVERAL);
    const { auth_session: text } = body;
    if (text === undefined) return begin(dependencies, call, client, step, fail);
    const holder = { tenantId: tenant.id, clientId: client.id, jkt: key?.jkt };
    const login = (await authSessions.open(text, holder)) ?? fail('AUTH_SESSION_INVALID');
    await key?.requireUnused(fail);
    const request = await inAppRequests.judge(tenant, client, login.form, fail);
    const progress = { call, client, request, login };
    if (step) return take(dependencies, progress, step, fail);
    return tell(dependencies, progress, await readFlow(dependencies, progress, fail), {}, fail);
  };
}

async function begin(
  dependencies: InAppDependencies,
  call: ChallengeCall,
  client: KnownClient,
  step: SentStep | undefined,
  fail: Refuse,
): Promise<Challenged> {
  const { tenant, body: sent, device, key } = call;
  const { inAppRequests, perform } = dependencies;
  const form = await inAppRequests.read(tenant, client, { sent, key }, fail);
  await key?.requireUnused(fail);
  const request = await inAppRequests.judge(tenant, client, form, fail);
  const { loginHint: identifier, uiLocales } = request;
  const acr = weakestOf(request.acrValues);
  const locale = preferredLocale({ wished: uiLocales });
  const body = {
    ...(identifier && { identifier }),
    ...(acr && { acr }),
    ...(locale && { locale }),
    ...(sent.device_token && { device_token: sent.device_token }),
  };
  const begun = await perform(beginFlow, { tenant, device, params: {}, body }).catch(
    (error: unknown) => {
      const isOdd = error instanceof AppError && error.code === 'VALIDATION_FAILED';
      throw isOdd ? new AppError('VALIDATION_FAILED', ODD_HINT) : error;
    },
  );
  const { flow, flow_token: token } = begun;
  const progress = { call, client, request, login: { form, flow: { id: flow.id, token } } };
  if (request.prompts.includes('create')) return goToWeb(dependencies, progress, fail);
  if (step) return take(dependencies, progress, step, fail);
  return tell(dependencies, progress, flow, {}, fail);
}

/** One step: the login is complete, or goes on. */
async function take(
  dependencies: InAppDependencies,
  progress: Progress,
  { name, value }: SentStep,
  fail: Refuse,
): Promise<Challenged> {
  const { call, login } = progress;
  const { tenant, body } = call;
  // Nobody gets it: it stands for the login that the tokens of the application hang on.
  const cookie = new SessionCookie();
  const device = { ...call.device, cookie };
  const steps = createSteps(dependencies);
  const { flow } = login;
  let stepped: Stepped;
  try {
    stepped = await steps[name]({ tenant, device, flow, value, deviceToken: body.device_token });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (ENDS.includes(error.code)) return fail('AUTH_SESSION_INVALID');
    if (!REFUSALS.includes(error.code)) throw error;
    const now = await readFlow(dependencies, progress, fail);
    return tell(dependencies, progress, now, { refused: error }, fail);
  }
  const { told = {}, deviceToken } = stepped;
  if (cookie.value === undefined) {
    return tell(dependencies, progress, stepped.flow, { told }, fail);
  }
  const code = await conclude(dependencies, progress, cookie, fail);
  const { recovery_code: recoveryCode } = told;
  return {
    authorization_code: code,
    ...(deviceToken !== undefined && { device_token: deviceToken }),
    ...(recoveryCode !== undefined && { recovery_code: recoveryCode }),
  };
}

/** The code for a login that is complete. */
async function conclude(
  dependencies: InAppDependencies,
  progress: Progress,
  cookie: SessionCookie,
  fail: Refuse,
): Promise<string> {
  const { call, request } = progress;
  const { from } = call.device;
  const { inAppRequests } = dependencies;
  const answer = await inAppRequests.answer(call.tenant, request, cookie, from, fail);
  if (!answer) return goToWeb(dependencies, progress, fail);
  return 'code' in answer ? answer.code : refuseRequest(answer, fail);
}

export interface InAppDependencies {
  readonly identify: Identify;
  readonly inAppRequests: InAppRequests;
  readonly seals: Seals;
  readonly pushedRequests: PushedRequests;
  readonly flows: Pick<Flows, 'read'>;
  readonly perform: Router['perform'];
}

interface ChallengeCall {
  readonly tenant: Tenant;
  readonly body: ChallengeBody;
  readonly authorization: string | undefined;
  readonly device: Device;
  /** That the login and its code are bound to. */
  readonly key: ProvenKey | undefined;
}

type Refuse = Fail<ErrorsOf<typeof authorizeChallenge>>;
type Challenged = OkOf<typeof authorizeChallenge>;
type LogInInApp = (call: ChallengeCall, fail: Refuse) => Promise<Challenged>;

/** A login in progress, within a request of its client. */
interface Progress {
  readonly call: ChallengeCall;
  readonly client: KnownClient;
  readonly request: AuthorizationRequest;
  readonly login: InAppLogin;
}

/** The flow as it is, while it goes on. */
async function readFlow(
  { flows }: InAppDependencies,
  { call, login }: Progress,
  fail: Refuse,
): Promise<LoginFlow> {
  const { id, token } = login.flow;
  return flows.read(call.tenant, id, token, () => fail('AUTH_SESSION_INVALID'));
}

interface Beside {
  readonly told?: Stepped['told'];
  /** What was wrong with the step of this request. */
  readonly refused?: AppError;
}

/** What the login needs next. */
async function tell(
  dependencies: InAppDependencies,
  progress: Progress,
  { status, needs }: { readonly status: LoginFlow['status']; readonly needs: readonly FlowNeed[] },
  { told, refused }: Beside,
  fail: Refuse,
): Promise<never> {
  if (status !== 'needs') return fail('AUTH_SESSION_INVALID');
  const next = inAppNeeds(needs);
  if (next.length === 0) return goToWeb(dependencies, progress, fail, told);
  const { call, client, login } = progress;
  const holder = { tenantId: call.tenant.id, clientId: client.id, jkt: call.key?.jkt };
  const session = await createAuthSessions(dependencies.seals).seal(login, holder);
  const { guessesLeft, unknownPasskey } = refused?.options ?? {};
  return fail('INSUFFICIENT_AUTHORIZATION', {
    login: {
      auth_session: session,
      needs: next,
      ...told,
      ...(refused && { refused: refused.code }),
    },
    ...(guessesLeft !== undefined && { guessesLeft }),
    ...(unknownPasskey && { unknownPasskey }),
  });
}

const CHANGED = { internal: 'changed' };

/**
 * The login cannot go on here. What was proven here is proven again there: a browser that comes with the request of
 * somebody else must not end up in their account.
 */
async function goToWeb(
  { perform, pushedRequests }: InAppDependencies,
  { call: { tenant, device }, client, request, login }: Progress,
  fail: Refuse,
  told: Pick<Challenge, 'recovery_code'> = {},
): Promise<never> {
  const { id, token } = login.flow;
  const given = { tenant, device, params: { flow_id: id }, body: { flow_token: token } };
  await perform(cancelFlow, given);
  const { recovery_code: recoveryCode } = told;
  const kept = recoveryCode === undefined ? {} : { recovery_code: recoveryCode };
  // Without an address to return to, the application begins a request of its own.
  if (request.redirectUri === '') return fail('REDIRECT_TO_WEB', { login: kept });
  const pushed = await pushedRequests.push(tenant.id, client, login.form);
  const { requestUri, expiresInSeconds } = pushed ?? fail('CLIENT_INVALID', CHANGED);
  return fail('REDIRECT_TO_WEB', {
    login: { ...kept, request_uri: requestUri, expires_in: expiresInSeconds },
  });
}

/** A login inside an application, as the application carries it from one step to the next. */
export interface InAppLogin {
  /** The authorization request that it is for, as a form. */
  readonly form: string;
  readonly flow: { readonly id: string; readonly token: string };
}

/** Who may go on with a login. */
interface Holder {
  readonly tenantId: TenantId;
  readonly clientId: OAuthClientId;
  /** Of the key that each of its requests proves; undefined: none does. */
  readonly jkt: string | undefined;
}

/**
 * Values of `auth_session`. They are stored nowhere: each is its content, sealed to its holder, for whom alone it opens.
 * What has been proven, and whether the login goes on, the flow says.
 */
interface AuthSessions {
  seal(login: InAppLogin, holder: Holder): Promise<string>;
  /** Undefined unless it was sealed for this holder. */
  open(text: string, holder: Holder): Promise<InAppLogin | undefined>;
}

function createAuthSessions(seals: Seals): AuthSessions {
  const place = ({ tenantId, clientId, jkt = '' }: Holder) =>
    ({ tenantId, purpose: 'auth session', boundTo: `${clientId} ${jkt}` }) as const;
  return {
    seal: (login, holder) => seals.seal(login, place(holder)),
    open: async (text, holder) => (await seals.open(text, place(holder))) as InAppLogin | undefined,
  };
}
