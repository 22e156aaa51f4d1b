import type { Fail } from '@keywright/contract/errors';
import { DEFAULT_WORKSPACE, type UserId } from '@keywright/contract/ids';
import type { IdentifierRecord } from '@keywright/contract/records/user';
import type { Origin } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { type Tenant, channelOf } from '../../../tenancy/tenant.ts';
import {
  anonymous,
  joining,
  record,
  revocationEvents,
  sessionRevoked,
} from '../../events/journal/index.ts';
import type { Notices } from '../../events/messages/index.ts';
import {
  deleteAllFactors,
  deleteCredentials,
  findUser,
  forgetUndos,
  holdsScopes,
  lockUnchangedUser,
  presentUser,
  raiseAuthVersion,
  recordVerified,
  replaceIdentifiers,
  setVerified,
  writeUser,
} from '../../identity/users/index.ts';
import { revokeDelegations } from '../../machines/agents/index.ts';
import { endSessionsOf } from '../../tokens/sessions/index.ts';
import {
  type ChallengeOfFlow,
  type FlowUser,
  type KnownDevice,
  type StoredFlow,
  findNewName,
  inviteeOf,
  isDeviceOf,
} from '../flows/index.ts';
import type { Shown } from '../proofs/index.ts';

const RECLAIMED = 'account_reclaimed';

/** A user at the version that was loaded. */
type LoadedUser = Pick<FlowUser, 'id' | 'authVersion'>;

/** Verifies the address. @returns undefined if the account has changed since it was loaded */
export async function verify(
  tx: TenantTx,
  user: LoadedUser,
  identifier: string,
  from: Origin,
): Promise<Shown | undefined> {
  if (!(await lockUnchangedUser(tx, user)) || !(await setVerified(tx, user.id, identifier)))
    return undefined;
  await recordVerified(tx, anonymous(from), user.id, identifier);
  return { userId: user.id, authVersion: user.authVersion };
}

/**
 * Hands the account over to the person who proved its address, and removes everything that could let the previous
 * holder sign in again. Roles, memberships, name, picture and metadata remain, because an administrator or an import can
 * have set them. An account that holds scopes is `reserved` for its user.
 * @returns undefined if the account has changed since it was loaded
 */
export async function reclaim(
  tx: TenantTx,
  user: LoadedUser,
  identifier: string,
  from: Origin,
): Promise<Shown | 'reserved' | undefined> {
  const { id: userId } = user;
  if (!(await lockUnchangedUser(tx, user))) return undefined;
  if (await holdsScopes(tx, userId, 'locked')) return 'reserved';
  if (!(await setVerified(tx, userId, identifier))) return undefined;
  await filterIdentifiers(tx, userId, (candidate) => candidate.identifier === identifier);
  await forgetUndos(tx, userId);
  await deleteCredentials(tx, userId);
  await deleteAllFactors(tx, userId);
  const sessions = await endSessionsOf(tx, userId, RECLAIMED);
  const delegations = await revokeDelegations(tx, userId, RECLAIMED);
  const authVersion = await raiseAuthVersion(tx, userId);
  await record(tx, anonymous(from), {
    action: 'user.reclaimed',
    target: { kind: 'user', id: userId },
    details: { sessions: sessions.length, delegations: delegations.map(({ id }) => id) },
    events: [
      { type: 'user.reclaimed', data: { user_id: userId } },
      { type: 'identifier.verified', data: { user_id: userId, identifier } },
      { type: 'user.updated', data: { user_id: userId, fields: ['identifiers'] } },
      ...sessions.map((session) => sessionRevoked(session, RECLAIMED)),
      ...revocationEvents({ keys: [], delegations }, RECLAIMED),
    ],
  });
  return { userId, authVersion };
}

/** Removes the address from an account that has another verified address. */
export async function release(
  tx: TenantTx,
  user: LoadedUser,
  identifier: string,
  from: Origin,
): Promise<void> {
  if (!(await lockUnchangedUser(tx, user))) return;
  await filterIdentifiers(
    tx,
    user.id,
    (candidate) => candidate.identifier !== identifier || candidate.verified,
  );
  await raiseAuthVersion(tx, user.id);
  await record(tx, anonymous(from), {
    action: 'identifier.released',
    target: { kind: 'user', id: user.id },
    details: {},
    events: [{ type: 'user.updated', data: { user_id: user.id, fields: ['identifiers'] } }],
  });
}

/** The remaining identifiers move up, because users are sorted by their first one. */
async function filterIdentifiers(
  tx: TenantTx,
  userId: UserId,
  isRemaining: (candidate: IdentifierRecord) => boolean,
): Promise<void> {
  const row = await findUser(tx, userId);
  if (row) await replaceIdentifiers(tx, userId, presentUser(row).identifiers.filter(isRemaining));
}

/**
 * Creates the account of an invitee, without credentials, or hands over the address's existing account, which no user
 * has proven and anyone could have registered. The invitation token came by email, so it proves the address as a code
 * does.
 */
export async function settleInvitee(
  tx: TenantTx,
  tenant: Tenant,
  flow: StoredFlow,
  { notices, from }: { readonly notices: Notices; readonly from: Origin },
  fail: Fail<'FLOW_ENDED'>,
): Promise<FlowUser> {
  const { user, identifier } = flow;
  const { createdAt, ...invitee } = inviteeOf(flow);
  const { id } = invitee;
  if (user?.id === id) {
    const reclaimed = await reclaim(tx, user, identifier, from);
    if (!reclaimed || reclaimed === 'reserved') return fail('FLOW_ENDED');
    const kind = 'notice.account_reclaimed';
    await notices.notify(tx, tenant, { userId: id, kind, changed: identifier });
    return { ...invitee, authVersion: reclaimed.authVersion };
  }
  if (user) await release(tx, user, identifier, from);
  const name = await findNewName(tx, flow.id);
  const newUser = { type: 'email', identifier, verified: true, roles: [], id, createdAt } as const;
  if (!(await writeUser(tx, joining(id, from), { ...newUser, name }))) fail('FLOW_ENDED');
  return invitee;
}

/** The method that a flow's message proves: an identifier, or the second factor. */
export function methodOf({
  identifier,
  messageFactor,
}: Pick<StoredFlow, 'identifier' | 'messageFactor'>) {
  return messageFactor ? (`${messageFactor.channel}_factor` as const) : channelOf(identifier);
}

/** The destination of a flow's message; undefined if codes are suspended as the user's second factor. */
export function destinationOf({ identifier, messageFactor }: StoredFlow): string | undefined {
  return messageFactor ? messageFactor.destination : identifier;
}

/** The kind of a flow's message, by the purpose of the flow. */
const KIND_OF = {
  login: 'login',
  recovery: 'recovery',
  verification: 'verification',
  step_up: 'login',
  invitation: 'login',
  linking: 'login',
} as const;

export function challengeOf(flow: StoredFlow): ChallengeOfFlow {
  const { id, continues, purpose, messageFactor } = flow;
  return {
    flowId: continues ?? id,
    kind: messageFactor ? `second_factor_${messageFactor.channel}` : KIND_OF[purpose],
    identifier: destinationOf(flow) ?? '',
  };
}

/** The message of a flow. It is stored for every identifier, but sent only to users who can use it. */
export function sendingOf(tenant: Tenant, flow: StoredFlow, device: KnownDevice | undefined) {
  const { user: found, locale } = flow;
  const user = found && { userId: found.id, authVersion: found.authVersion };
  return {
    ...challengeOf(flow),
    locale,
    user,
    isDecoy: useOf(tenant, flow) === 'none',
    isVerified: flow.messageFactor !== undefined || found?.isVerified === true,
    isKnown: hasProven(flow),
    isOnKnownDevice: user !== undefined && isDeviceOf(device, user),
  };
}

/**
 * The effect of a confirmed message on the account of its address.
 * - `prove`: the address is verified, and the message proves its user.
 * - `verify`: the user has also proven the account in this flow, so the address becomes verified.
 * - `reclaim`: anyone could have registered the address, so the account passes to the person who receives its email. A
 *   user who holds scopes must prove the account in another way.
 * - `release`: the account has another verified address, so this address leaves it and registers.
 * - `register`: no user has the address.
 * - `none`: no effect.
 */
export type Use = 'prove' | 'verify' | 'reclaim' | 'release' | 'register' | 'none';

export function useOf(tenant: Tenant, flow: StoredFlow): Use {
  const { user } = flow;
  if (flow.messageFactor) return 'prove';
  if (channelOf(flow.identifier) === 'sms') return useOfPhone(flow);
  if (!user) return mayRegister(tenant, flow) ? 'register' : 'none';
  if (!user.isActive) return 'none';
  if (user.isVerified) return 'prove';
  if (!user.hasOthers) return hasProven(flow) ? 'verify' : 'reclaim';
  return mayRegister(tenant, flow) ? 'release' : 'none';
}

/** Text messages cost money, so none is sent to an unverified number unless its user has proven the account. */
function useOfPhone(flow: StoredFlow): Use {
  if (!flow.user?.isActive) return 'none';
  if (flow.user.isVerified) return 'prove';
  return hasProven(flow) ? 'verify' : 'none';
}

/** Whether the account of the message is unchanged since it was sent. */
export function isUnchanged({ user }: StoredFlow, sentTo: Shown | undefined): boolean {
  return user?.id === sentTo?.userId && user?.authVersion === sentTo?.authVersion;
}

function hasProven({ user, proofs }: StoredFlow): boolean {
  return proofs.some(
    (proof) => proof.user_id === user?.id && proof.auth_version === user.authVersion,
  );
}

/** Invitees can register, others if the tenant allows it. A new user belongs only to the default workspace. */
function mayRegister({ config }: Tenant, { registers, purpose, workspaceId }: StoredFlow): boolean {
  if (purpose === 'invitation') return true;
  return (
    registers &&
    purpose === 'login' &&
    config.allow_registration &&
    config.magic_link_registration &&
    (workspaceId ?? DEFAULT_WORKSPACE) === DEFAULT_WORKSPACE
  );
}
