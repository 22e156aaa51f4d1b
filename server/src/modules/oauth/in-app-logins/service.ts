import { AppError, type ErrorCode } from '@keywright/contract/errors';
import { beginFlow } from '@keywright/contract/routes/login-flows';
import { preferredLocale } from '../../../platform/texts/locales.ts';
import { SessionCookie } from '../../../tenancy/session-cookie.ts';
import { refuse as refuseRequest, weakestOf } from '../authorize/index.ts';
import { type KnownClient, mayLogInInApp } from '../clients/index.ts';
import {
  type Challenged,
  type ChallengeCall,
  goToWeb,
  type InAppDependencies,
  type LogInInApp,
  type Progress,
  readFlow,
  type Refuse,
  tell,
} from './progress.ts';
import { type SentStep, stepIn } from './rules.ts';
import { createSteps, type Stepped } from './steps.ts';

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
  const { identify, authSessions, inAppRequests } = dependencies;
  return async (call, fail) => {
    const { tenant, body, authorization, device, key } = call;
    const asking = { tenant, parameters: body, authorization, from: device.from };
    // As it is now: an administrator may have taken the right back a moment ago.
    const client = await identify.application(asking, fail);
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
