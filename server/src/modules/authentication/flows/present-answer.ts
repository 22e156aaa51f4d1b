import type { Fail } from '@keywright/contract/errors';
import type { UserId } from '@keywright/contract/ids';
import type { FlowAnswer } from '@keywright/contract/records/login-flow';
import type { Device } from '../../../tenancy/device.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { OpenedSession, SessionService } from '../../tokens/sessions/index.ts';
import type { Permit } from '../proofs/index.ts';
import { isDeviceOf, type KnownDevice } from './device-tokens.ts';
import { presentFlow } from './present.ts';
import { deviceIn } from './rules.ts';
import type { CompletionDependencies } from './step.ts';
import type { FlowUser, StoredFlow } from './store.ts';

type Answered = Awaited<ReturnType<SessionService['openFirst']>>;

/** Tells a user of a login from a new device, if it opened a session. */
export async function tellOf(
  { tellOfDevice }: CompletionDependencies,
  tenant: Tenant,
  userId: UserId,
  { userAgent }: Device,
  opened: Answered,
): Promise<void> {
  if (typeof opened === 'object') await tellOfDevice(tenant, userId, userAgent);
}

export function answerOf(
  given: CompletionDependencies,
  tenant: Tenant,
  flow: StoredFlow,
  permit: Permit | undefined,
  answer: Answered,
  knownDevice: KnownDevice | undefined,
  fail: Fail<'FLOW_ENDED' | 'NOT_FOUND'>,
): FlowAnswer {
  if (answer === 'workspace_unknown') return fail('NOT_FOUND');
  if (answer === 'refused' || !permit) return fail('FLOW_ENDED');
  const { userId: id, authVersion } = permit;
  return presentAnswer(given, tenant, flow, { id, authVersion }, answer, knownDevice);
}

/** The answer of the step that completes a flow. */
export function presentAnswer(
  { deviceTokens, clock }: CompletionDependencies,
  tenant: Tenant,
  flow: StoredFlow,
  { id: userId, authVersion }: Pick<FlowUser, 'id' | 'authVersion'>,
  answer: OpenedSession,
  knownDevice: KnownDevice | undefined,
): FlowAnswer {
  const proven = deviceIn(flow);
  const id = proven === undefined ? flow.secret.deviceId : Buffer.from(proven, 'base64url');
  const user = { userId, authVersion };
  const device = knownDevice ?? { id, ...user };
  // The user is not notified of a step-up, so it makes no new device a known one.
  const isIssued =
    flow.stepsUp === undefined || proven !== undefined || isDeviceOf(knownDevice, user);
  return {
    ...('cookie' in answer ? {} : answer),
    ...(isIssued && {
      device_token: deviceTokens.issue(tenant.id, user, device, clock.now()),
    }),
    flow: presentFlow(tenant.id, flow, 'complete'),
  };
}
