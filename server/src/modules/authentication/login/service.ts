import type { Fail } from '@keywright/contract/errors';
import { DEFAULT_WORKSPACE, type WorkspaceId } from '@keywright/contract/ids';
import type { OfferedFlow } from '@keywright/contract/records/login-flow';
import type { LoginAnswer } from '@keywright/contract/records/tokens';
import type { BodyOf } from '@keywright/contract/route';
import type { login } from '@keywright/contract/routes/auth';
import type { Clock } from '../../../platform/clock.ts';
import type { PasswordHasher } from '../../../platform/crypto/password.ts';
import type { Device } from '../../../tenancy/device.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { MustReplace, PasswordPolicy, TellOfBreach } from '../passwords/index.ts';
import {
  type DeviceTokens,
  type Flows,
  isDeviceOf,
  type KnownDevice,
  type TellOfDevice,
} from '../flows/index.ts';
import type { Notes } from '../../events/journal/index.ts';
import type { SessionService } from '../../tokens/sessions/index.ts';
import { rateLimitsOf, type Wait } from './attempts.ts';
import { createLoginMethods } from './methods.ts';
import { type Proven, proveSecret } from './prove.ts';
import { createRegisterOrProve, mayRegister, type Outcome, type Registered } from './register.ts';
import { noteRefusal, noteThrottled, type Refusal, refusalOf } from './refused.ts';
import type { Start, Started } from './start.ts';
import { createStrengthen } from './strengthen.ts';
import type { LoginRow } from './login-store.ts';

interface LoginDevice extends Omit<Device, 'cookie'> {
  /** The language of messages in the flow in which a login continues. */
  readonly locale: string | undefined;
}

type Refuse = Fail<
  | 'VALIDATION_FAILED'
  | 'INVALID_CREDENTIALS'
  | 'MFA_REQUIRED'
  | 'VERIFICATION_REQUIRED'
  | 'NEW_PASSWORD_REQUIRED'
  | 'NOT_FOUND'
  | 'TOO_MANY_ATTEMPTS'
  | 'TOO_BUSY'
>;

export type LogIn = (
  tenant: Tenant,
  body: BodyOf<typeof login>,
  device: LoginDevice,
  fail: Refuse,
) => Promise<LoginAnswer>;

/** The dependencies of a login. */
export interface LoginDependencies {
  readonly gate: Gate;
  readonly passwords: PasswordHasher;
  readonly passwordPolicy: PasswordPolicy;
  readonly tellOfBreach: TellOfBreach;
  readonly mustReplace: MustReplace;
  readonly sessions: SessionService;
  readonly deviceTokens: DeviceTokens;
  readonly flows: Flows;
  readonly tellOfDevice: TellOfDevice;
  readonly notes: Notes;
  readonly clock: Clock;
}

export function createLogIn(dependencies: LoginDependencies & { readonly start: Start }): LogIn {
  const { passwords, deviceTokens, notes, clock, start } = dependencies;
  const methods = createLoginMethods(passwords);
  const proving = { ...dependencies, methods };
  const registerOrProve = createRegisterOrProve(proving);
  const open = createOpen(dependencies);

  return async (tenant, body, device, fail) => {
    const token = body.device_token ?? device.token;
    const known = deviceTokens.read(tenant.id, token, clock.now());
    const started = await start(tenant, { ...body, known }, device.from, fail);
    const { identifier, share, now, row, attempts } = started;
    const tooMany = (reason: 'throttled' | 'registration_throttled', wait: Wait) => {
      noteThrottled(notes, tenant, device.from, reason);
      return fail('TOO_MANY_ATTEMPTS', wait);
    };
    if (row.retry_after !== null) {
      const limits = rateLimitsOf(attempts);
      return tooMany('throttled', { retryAfterSeconds: row.retry_after, limits });
    }
    const { secret, workspace_id: workspaceId } = body;
    const presented = { identifier: identifier.identifier, secret, share, from: device.from };
    const newcomer = { ...identifier, ...device, secret, workspaceId, attempts };
    const refuse: Refuse = (code, options) =>
      fail(code === 'INVALID_CREDENTIALS' ? refusalOfSecret(body) : code, options);
    const outcome: Outcome =
      body.register && mayRegister(tenant, identifier, workspaceId)
        ? await registerOrProve(tenant, row, newcomer, fail)
        : await proveSecret(proving, tenant, row, presented, now);
    if ('throttled' in outcome) return tooMany('registration_throttled', outcome.throttled);
    const { answer, permit } =
      'registered' in outcome
        ? outcome.registered
        : await open(
            tenant,
            outcome.row ? { ...started, row: outcome.row } : started,
            outcome,
            { ...device, secret, workspaceId, known },
            refuse,
          );
    return { ...answer, device_token: deviceTokens.issue(tenant.id, permit, known, now) };
  };
}

/**
 * The response to a wrong secret and to an unknown identifier. Only `ws_default` can be registered in, so `register` with
 * another workspace gets one that reveals neither the user nor the workspace.
 */
function refusalOfSecret({
  register,
  workspace_id: workspaceId = DEFAULT_WORKSPACE,
}: BodyOf<typeof login>) {
  return register && workspaceId !== DEFAULT_WORKSPACE ? 'NOT_FOUND' : 'INVALID_CREDENTIALS';
}

interface Wanted extends LoginDevice {
  readonly secret: string;
  readonly workspaceId: WorkspaceId | undefined;
  readonly known: KnownDevice | undefined;
}

/** Opens a session if the proofs are sufficient. @throws AppError otherwise */
function createOpen(dependencies: LoginDependencies) {
  const { sessions, notes, flows, tellOfDevice, tellOfBreach } = dependencies;
  const strengthen = createStrengthen(dependencies);
  return async (
    tenant: Tenant,
    { identifier, share, row, attempts }: Omit<Started, 'row'> & { readonly row: LoginRow },
    { next, method }: Proven,
    wanted: Wanted,
    fail: Refuse,
  ): Promise<Registered> => {
    const attempt = { from: wanted.from, identifier, userId: row.user_id };
    const refused = (reason: Refusal) => noteRefusal(notes, tenant, attempt, reason);
    if (next.status === 'needs' && next.step !== 'first_factor') {
      await strengthen(tenant, row, wanted.secret, share);
      const { reason, code } = LACKS[next.step];
      refused(reason);
      const continued = { identifier, row, method, attempts };
      const flow = await offeredFlow(flows, tenant, continued, wanted);
      return fail(code, flow ? { flow } : {});
    }
    if (next.status !== 'complete') {
      refused(refusalOf(tenant, row));
      return fail('INVALID_CREDENTIALS');
    }
    const { permit } = next;
    const { secret, known, ...request } = wanted;
    const isNewDevice = !isDeviceOf(known, permit);
    const answer = await sessions.open(tenant, { permit, ...request, isNewDevice, attempts });
    if (typeof answer === 'string') {
      const isUnknown = answer === 'workspace_unknown';
      refused(isUnknown ? answer : 'changed_meanwhile');
      return fail(isUnknown ? 'NOT_FOUND' : 'INVALID_CREDENTIALS');
    }
    if (isNewDevice) await tellOfDevice(tenant, permit.userId, wanted.userAgent);
    await strengthen(tenant, row, secret, share);
    tellOfBreach(tenant, permit.userId, wanted, secret);
    return { answer, permit };
  };
}

const MFA = { reason: 'mfa_required', code: 'MFA_REQUIRED' } as const;

/** The response to a right password that is not sufficient. */
const LACKS = {
  second_factor: MFA,
  enrolment: MFA,
  mailbox: MFA,
  message_factor: MFA,
  verification: { reason: 'verification_required', code: 'VERIFICATION_REQUIRED' },
  new_password: { reason: 'password_breached', code: 'NEW_PASSWORD_REQUIRED' },
} as const;

interface Continued extends Pick<Started, 'identifier' | 'attempts'>, Pick<Proven, 'method'> {
  readonly row: LoginRow;
}

/** The flow in which a login can continue. */
async function offeredFlow(
  flows: Flows,
  tenant: Tenant,
  { identifier: { identifier }, row, method, attempts }: Continued,
  { workspaceId, userAgent, locale, from, known: knownDevice }: Wanted,
): Promise<OfferedFlow | undefined> {
  if (row.user_id === null) return undefined;
  const proof = {
    method,
    userId: row.user_id,
    authVersion: row.auth_version,
    knownDevice,
    attempts,
  } as const;
  const device = { locale, userAgent, from };
  const request = { purpose: 'login', identifier, workspaceId, ...device, proof } as const;
  const { flow, flow_token } = await flows.begin(tenant, request);
  return { ...flow, flow_token };
}
