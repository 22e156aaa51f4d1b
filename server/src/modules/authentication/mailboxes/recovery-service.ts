import type { Fail } from '@keywright/contract/errors';
import { parseUserId, type UserId } from '@keywright/contract/ids';
import type { FlowAnswer } from '@keywright/contract/records/login-flow';
import type { BodyOf, ErrorsOf } from '@keywright/contract/route';
import type { setNewPassword } from '@keywright/contract/routes/flow-recovery';
import type { recoverUser } from '@keywright/contract/routes/user-recovery';
import {
  type Caller,
  type Device,
  type Origin,
  hashShare,
  nameOf,
} from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { anonymous, record, sessionRevoked } from '../../events/journal/index.ts';
import { maskAddress, type Notices } from '../../events/messages/index.ts';
import { requireMayActOnUser } from '../../identity/roles/index.ts';
import {
  findVerifiedAddress,
  lockUnchangedUser,
  raiseAuthVersion,
  setSecretHash,
} from '../../identity/users/index.ts';
import { endSessionsOf } from '../../tokens/sessions/index.ts';
import {
  type Challenges,
  type Flows,
  type FlowUser,
  inviteeOf,
  afterJoining,
  mayJoin,
  type StoredFlow,
} from '../flows/index.ts';
import type { PasswordPolicy } from '../passwords/index.ts';
import { settleInvitee } from './mailbox-accounts.ts';

const NO_PASSWORDS = 'The tenant does not allow passwords, so there is no password to recover.';
const NO_PAGE =
  'Set magic_link_url first. The message is sent outside a flow, and its link opens the flow that accepts the code.';
const REASON = 'password_changed';

/** Sets new passwords for users who forgot theirs or have a breached one. */
export class RecoveryService {
  readonly #core: Core;
  readonly #notices: Notices;
  readonly #policy: PasswordPolicy;
  readonly #flows: Flows;
  readonly #challenges: Challenges;

  constructor(
    core: Core,
    notices: Notices,
    policy: PasswordPolicy,
    flows: Flows,
    challenges: Challenges,
  ) {
    this.#core = core;
    this.#notices = notices;
    this.#policy = policy;
    this.#flows = flows;
    this.#challenges = challenges;
  }

  /** Sends a user the recovery message. OWASP ASVS 5.0 §6.4.6: only the user sets the password. */
  async recover(
    tenant: Tenant,
    caller: Caller,
    id: string,
    fail: Fail<ErrorsOf<typeof recoverUser>>,
  ): Promise<{ sent_to: string }> {
    const userId = parseUserId(id) ?? fail('NOT_FOUND');
    const data = this.#core.gate.into(tenant.id);
    const { identifier, auth_version: authVersion } = await data.transaction(async (tx) => {
      await requireMayActOnUser(tx, caller, userId, fail, true);
      requireReady(tenant, fail);
      return (await findVerifiedAddress(tx, userId)) ?? fail('USER_UNREACHABLE');
    });
    const request = { purpose: 'recovery', identifier, workspaceId: undefined } as const;
    const { flow } = await this.#flows.start(tenant, request);
    const result = await this.#challenges.send(tenant, {
      flowId: flow.id,
      kind: 'recovery',
      identifier,
      user: { userId, authVersion },
      isDecoy: false,
      locale: undefined,
      from: caller.from,
      name: nameOf(caller),
      isKnown: true,
      isVerified: true,
      record: (tx) => recordRecoverySent(tx, caller, userId),
    });
    if (typeof result === 'object') fail('TOO_MANY_MESSAGES', result);
    return { sent_to: maskAddress(identifier) };
  }

  /** The step of a flow that sets a new password. */
  async setNewPassword(
    tenant: Tenant,
    flowId: string,
    { flow_token: token, secret }: BodyOf<typeof setNewPassword>,
    device: Device,
    fail: Fail<ErrorsOf<typeof setNewPassword>>,
  ): Promise<FlowAnswer> {
    const { from } = device;
    const flow = await this.#flows.open(tenant, flowId, token, 'new_password', fail);
    const candidate = { secret, identifiers: [flow.identifier], from };
    await this.#policy.require(tenant, candidate, '/secret', fail);
    const secretHash = await this.#core.passwords.hash(secret, hashShare(tenant.id, from));
    if (mayJoin(flow)) {
      return this.#join(tenant, flow, secretHash, device, fail);
    }
    const user = flow.user ?? fail('FLOW_ENDED');
    const isForgotten = flow.purpose === 'recovery';
    const effect = async (tx: TenantTx) => {
      const replaced = await replacePassword(tx, user, secretHash, { from, isForgotten });
      const authVersion = replaced ?? fail('FLOW_ENDED');
      await this.#notices.notify(tx, tenant, {
        userId: user.id,
        kind: 'notice.password_changed',
        device,
      });
      const proof = { method: 'password', userId: user.id, authVersion } as const;
      return { user: { ...user, authVersion }, proofs: [proof] };
    };
    return this.#flows.commit(tenant, flow, { effect }, device, fail);
  }

  /** The password is the first credential of an invitee. */
  #join(
    tenant: Tenant,
    flow: StoredFlow,
    secretHash: string,
    device: Device,
    fail: Fail<'FLOW_ENDED' | 'NOT_FOUND'>,
  ): Promise<FlowAnswer> {
    const { from } = device;
    const invitee = inviteeOf(flow);
    const effect = async (tx: TenantTx) => {
      const user = await settleInvitee(tx, tenant, flow, { notices: this.#notices, from }, fail);
      await setSecretHash(tx, user.id, secretHash);
      return afterJoining(user, 'password', user.authVersion);
    };
    const expected = afterJoining(invitee, 'password', invitee.authVersion);
    return this.#flows.commit(tenant, flow, { effect, expected }, device, fail);
  }
}

function requireReady({ sendsMail, config }: Tenant, fail: Fail<'METHOD_NOT_READY'>): void {
  if (!sendsMail) fail('METHOD_NOT_READY');
  if (config.magic_link_url === null) fail('METHOD_NOT_READY', { detail: NO_PAGE });
  if (!config.allowed_login_methods.includes('password')) {
    fail('METHOD_NOT_READY', { detail: NO_PASSWORDS });
  }
}

function recordRecoverySent(tx: TenantTx, caller: Caller, userId: UserId): Promise<void> {
  const target = { kind: 'user', id: userId } as const;
  return record(tx, caller, { action: 'user.recovery_sent', target, details: {} });
}

/**
 * Replaces a forgotten or breached password, and ends all sessions, because an attacker may have opened them.
 * @returns the user's new version; undefined if the user has changed since the flow was loaded
 */
async function replacePassword(
  tx: TenantTx,
  user: FlowUser,
  secretHash: string,
  { from, isForgotten }: { readonly from: Origin; readonly isForgotten: boolean },
): Promise<number | undefined> {
  if (!(await lockUnchangedUser(tx, user))) return undefined;
  await setSecretHash(tx, user.id, secretHash);
  const sessions = await endSessionsOf(tx, user.id, REASON);
  const authVersion = await raiseAuthVersion(tx, user.id);
  await record(tx, anonymous(from), {
    action: isForgotten ? 'user.recovered' : 'user.updated',
    target: { kind: 'user', id: user.id },
    details: { sessions: sessions.length, ...(isForgotten ? {} : { fields: ['password'] }) },
    events: [
      ...(isForgotten ? [{ type: 'password.recovered', data: { user_id: user.id } } as const] : []),
      { type: 'user.updated', data: { user_id: user.id, fields: ['password'] } },
      ...sessions.map((session) => sessionRevoked(session, REASON)),
    ],
  });
  return authVersion;
}
