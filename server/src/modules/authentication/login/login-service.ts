import type { Fail } from '@keywright/contract/errors';
import { DEFAULT_WORKSPACE, type WorkspaceId } from '@keywright/contract/ids';
import type { FlowAnswer, OfferedFlow } from '@keywright/contract/records/login-flow';
import type { LoginAnswer } from '@keywright/contract/records/tokens';
import type { BodyOf, ErrorsOf } from '@keywright/contract/route';
import type { login } from '@keywright/contract/routes/auth';
import type { provePassword } from '@keywright/contract/routes/login-flows';
import type { Clock } from '../../../platform/clock.ts';
import { preferredLocale } from '../../../platform/texts/locales.ts';
import type { Call } from '../../../tenancy/call.ts';
import type { Device } from '../../../tenancy/caller.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Notes } from '../../events/journal/index.ts';
import { requireRegistrationName } from '../../identity/users/index.ts';
import type { SessionService } from '../../tokens/sessions/index.ts';
import type { DeviceTokens, Flows, KnownDevice, NewDevices } from '../flows/index.ts';
import type { PasswordPolicy } from '../passwords/index.ts';
import {
  type DecidedLogin,
  type LoginAttempt,
  LoginAttempts,
  PasswordVerifier,
  type Refusal,
  refusalOf,
} from './login-attempts.ts';
import { type RegisteredLogin, Registration, mayRegister } from './registration.ts';

interface LoginDevice extends Omit<Device, 'cookie'> {
  /** The `Accept-Language` header, for the messages of a flow that continues the login. */
  readonly acceptLanguage: string | undefined;
}

interface LoginRequest extends LoginDevice {
  readonly secret: string;
  readonly workspaceId: WorkspaceId | undefined;
  readonly knownDevice: KnownDevice | undefined;
}

type LoginCall = Pick<Call<typeof login>, 'tenant' | 'body' | 'device' | 'headers'>;
type PasswordStepCall = Pick<Call<typeof provePassword>, 'tenant' | 'params' | 'body' | 'device'>;

type LoginFail = Fail<
  | 'VALIDATION_FAILED'
  | 'INVALID_CREDENTIALS'
  | 'MFA_REQUIRED'
  | 'VERIFICATION_REQUIRED'
  | 'NEW_PASSWORD_REQUIRED'
  | 'NOT_FOUND'
  | 'TOO_MANY_ATTEMPTS'
  | 'TOO_BUSY'
>;

/** The error for a correct but insufficient password, and the reason in the audit log. */
const REFUSAL_OF = {
  second_factor: { code: 'MFA_REQUIRED', reason: 'mfa_required' },
  enrollment: { code: 'MFA_REQUIRED', reason: 'mfa_required' },
  mailbox: { code: 'MFA_REQUIRED', reason: 'mfa_required' },
  message_factor: { code: 'MFA_REQUIRED', reason: 'mfa_required' },
  verification: { code: 'VERIFICATION_REQUIRED', reason: 'verification_required' },
  new_password: { code: 'NEW_PASSWORD_REQUIRED', reason: 'password_breached' },
} as const;

/** Logins with a password: directly, and as a step of a flow. */
export class LoginService {
  readonly #clock: Clock;
  readonly #sessions: SessionService;
  readonly #flows: Flows;
  readonly #deviceTokens: DeviceTokens;
  readonly #newDevices: NewDevices;
  readonly #policy: PasswordPolicy;
  readonly #attempts: LoginAttempts;
  readonly #passwords: PasswordVerifier;
  readonly #registration: Registration;

  constructor(
    core: Core,
    notes: Notes,
    policy: PasswordPolicy,
    sessions: SessionService,
    flows: Flows,
    deviceTokens: DeviceTokens,
    newDevices: NewDevices,
  ) {
    this.#clock = core.clock;
    this.#sessions = sessions;
    this.#flows = flows;
    this.#deviceTokens = deviceTokens;
    this.#newDevices = newDevices;
    this.#policy = policy;
    this.#attempts = new LoginAttempts(core, notes);
    this.#passwords = new PasswordVerifier(core, policy);
    this.#registration = new Registration(core, policy, this.#attempts, this.#passwords, sessions);
  }

  /** POST /auth/login. SPEC endpoints auth 1, SPEC resources login 1 to 3. */
  readonly login = async (
    { tenant, body, device: sender, headers }: LoginCall,
    fail: LoginFail,
  ): Promise<LoginAnswer> => {
    const { secret, register, workspace_id: workspaceId } = body;
    const name = register ? requireRegistrationName(tenant, body.name ?? null, fail) : null;
    const device: LoginDevice = { ...sender, acceptLanguage: headers['accept-language'] };
    const { from } = device;
    const knownDevice = this.#readDeviceToken(tenant, body, device);
    const request = { ...device, secret, workspaceId, knownDevice };
    const typed = { identifier: body.identifier, secret, knownDevice };
    const attempt = await this.#attempts.start(tenant, typed, from, fail);
    const { identifier, share, row, attempts, now } = attempt;
    const presented = { identifier: identifier.identifier, secret, share, from };
    const outcome =
      register && mayRegister(tenant, identifier, workspaceId)
        ? await this.#registration.registerOrLogIn(tenant, attempt, { ...request, name }, fail)
        : await this.#passwords.decideLogin(tenant, row, presented, now);
    if ('answer' in outcome) return this.#respond(tenant, outcome, request, now);

    const { next } = outcome;
    const note = (reason: Refusal) =>
      this.#attempts.noteRefusal(tenant, identifier, outcome.row.user_id, device, reason);
    if (next.status === 'needs' && next.step !== 'first_factor') {
      await this.#passwords.rehashIfOutdated(tenant, outcome.row, secret, share);
      note(REFUSAL_OF[next.step].reason);
      const flow = await this.#startFlow(tenant, attempt, outcome, request);
      return fail(REFUSAL_OF[next.step].code, flow ? { flow } : {});
    }
    if (next.status !== 'complete') {
      note(refusalOf(tenant, outcome.row));
      return fail(codeOfRefusal(body));
    }
    const { permit } = next;
    const isNewDevice = this.#newDevices.isNew(knownDevice, permit);
    const opening = { ...device, permit, workspaceId, isNewDevice, attempts };
    const session = await this.#sessions.open(tenant, opening);
    if (session === 'workspace_unknown') {
      note(session);
      return fail('NOT_FOUND');
    }
    if (session === 'refused') {
      note('changed_meanwhile');
      return fail(codeOfRefusal(body));
    }
    if (isNewDevice) await this.#newDevices.notify(tenant, permit.userId, device);
    await this.#passwords.rehashIfOutdated(tenant, outcome.row, secret, share);
    this.#policy.notifyIfBreached(tenant, permit.userId, device, secret);
    return this.#respond(tenant, { permit, answer: session }, request, now);
  };

  /** The password as a step of a flow, counted and limited like a login. */
  readonly provePassword = async (
    { tenant, params, body, device }: PasswordStepCall,
    fail: Fail<ErrorsOf<typeof provePassword>>,
  ): Promise<FlowAnswer> => {
    const { flow_token: token, secret } = body;
    const { from } = device;
    const flow = await this.#flows.open(tenant, params.flow_id, token, 'password', fail);
    const knownDevice = this.#readDeviceToken(tenant, body, device) ?? flow.secret.device;
    const typed = { identifier: flow.identifier, secret, knownDevice };
    const attempt = await this.#attempts.start(tenant, typed, from, fail);
    const { identifier, share, row, attempts, now } = attempt;
    const presented = { identifier: identifier.identifier, secret, share, from };
    const proof = await this.#passwords.verify(tenant, row, presented, now);
    if (!proof) {
      this.#attempts.noteRefusal(tenant, identifier, row.user_id, device, refusalOf(tenant, row));
      return fail('INVALID_CREDENTIALS');
    }
    await this.#passwords.rehashIfOutdated(tenant, row, secret, share);
    this.#policy.notifyIfBreached(tenant, proof.userId, device, secret);
    const step = { ...device, attempts, knownDevice };
    return this.#flows.commit(tenant, flow, { proof }, step, fail);
  };

  /** The device of the token in the body, or in the cookie of a browser. */
  #readDeviceToken(
    { id }: Tenant,
    { device_token: token }: { readonly device_token?: string },
    device: Pick<Device, 'token'>,
  ): KnownDevice | undefined {
    return this.#deviceTokens.read(id, token ?? device.token, this.#clock.now());
  }

  /** Starts the flow that continues a login with a correct password. */
  async #startFlow(
    tenant: Tenant,
    { identifier: { identifier }, attempts }: LoginAttempt,
    { row, method }: DecidedLogin,
    { workspaceId, userAgent, acceptLanguage, from, knownDevice }: LoginRequest,
  ): Promise<OfferedFlow | undefined> {
    if (row.user_id === null) return undefined;
    const { user_id: userId, auth_version: authVersion } = row;
    const proof = { method, userId, authVersion, knownDevice, attempts };
    const locale = preferredLocale({ accepted: acceptLanguage });
    const device = { locale, userAgent, from };
    const request = { purpose: 'login', identifier, workspaceId, ...device, proof } as const;
    const { flow, flow_token } = await this.#flows.start(tenant, request);
    return { ...flow, flow_token };
  }

  #respond(
    { id }: Tenant,
    { permit, answer }: RegisteredLogin,
    { knownDevice }: LoginRequest,
    now: Date,
  ): LoginAnswer {
    return { ...answer, device_token: this.#deviceTokens.issue(id, permit, knownDevice, now) };
  }
}

/**
 * The error for a wrong password and for an unknown identifier. Users can register only in `ws_default`, so `register`
 * with another workspace gets an error that reveals neither the user nor the workspace.
 */
function codeOfRefusal({
  register,
  workspace_id: workspaceId = DEFAULT_WORKSPACE,
}: BodyOf<typeof login>) {
  return register && workspaceId !== DEFAULT_WORKSPACE ? 'NOT_FOUND' : 'INVALID_CREDENTIALS';
}
