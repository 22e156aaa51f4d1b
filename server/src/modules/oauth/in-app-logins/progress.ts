import type { AppError, Fail } from '@keywright/contract/errors';
import type { Challenge } from '@keywright/contract/records/in-app-login';
import type { FlowNeed, LoginFlow } from '@keywright/contract/records/login-flow';
import type { ErrorsOf, OkOf } from '@keywright/contract/route';
import type { authorizeChallenge } from '@keywright/contract/routes/authorize-challenge';
import { cancelFlow } from '@keywright/contract/routes/login-flows';
import type { Device } from '../../../tenancy/device.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Flows } from '../../authentication/flows/index.ts';
import type { ProvenKey } from '../../tokens/access-tokens/index.ts';
import type { AuthorizationRequest, InAppRequests } from '../authorize/index.ts';
import type { KnownClient } from '../clients/index.ts';
import type { PushedRequests } from '../codes/index.ts';
import type { Identify } from '../token-endpoint/index.ts';
import type { AuthSessions, InAppLogin } from './auth-sessions.ts';
import { type ChallengeBody, inAppNeeds } from './rules.ts';
import type { Stepped } from './steps.ts';

export interface InAppDependencies {
  readonly identify: Identify;
  readonly inAppRequests: InAppRequests;
  readonly authSessions: AuthSessions;
  readonly pushedRequests: PushedRequests;
  readonly flows: Pick<Flows, 'read'>;
  readonly perform: Router['perform'];
}

export interface ChallengeCall {
  readonly tenant: Tenant;
  readonly body: ChallengeBody;
  readonly authorization: string | undefined;
  readonly device: Device;
  /** That the login and its code are bound to. */
  readonly key: ProvenKey | undefined;
}

export type Refuse = Fail<ErrorsOf<typeof authorizeChallenge>>;
export type Challenged = OkOf<typeof authorizeChallenge>;
export type LogInInApp = (call: ChallengeCall, fail: Refuse) => Promise<Challenged>;

/** A login in progress, within a request of its client. */
export interface Progress {
  readonly call: ChallengeCall;
  readonly client: KnownClient;
  readonly request: AuthorizationRequest;
  readonly login: InAppLogin;
}

/** The flow as it is, while it goes on. */
export async function readFlow(
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
export async function tell(
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
  const session = await dependencies.authSessions.seal(login, holder);
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
export async function goToWeb(
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
