import type { UserId } from '@keywright/contract/ids';
import type { IdentifierRecord } from '@keywright/contract/records/user';
import type { Origin } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { revocationEvents, anonymous, record, sessionRevoked } from '../../events/journal/index.ts';
import {
  findUser,
  forgetUndos,
  lockUnchangedUser,
  presentUser,
  raiseAuthVersion,
  recordVerified,
  replaceIdentifiers,
  setVerified,
  holdsScopes,
} from '../../identity/users/index.ts';
import { endSessionsOf } from '../../tokens/sessions/index.ts';
import type { FlowUser } from '../flows/index.ts';
import type { Shown } from '../proofs/index.ts';
import { deleteFactorsOf, deleteCredentials, revokeDelegations } from './store.ts';

const RECLAIMED = 'account_reclaimed';

/** A user as they were found. */
type KnownUser = Pick<FlowUser, 'id' | 'authVersion'>;

/** The address is verified. @returns undefined if the account has changed meanwhile */
export async function verify(
  tx: TenantTx,
  user: KnownUser,
  identifier: string,
  from: Origin,
): Promise<Shown | undefined> {
  if (!(await lockUnchangedUser(tx, user)) || !(await setVerified(tx, user.id, identifier)))
    return undefined;
  await recordVerified(tx, anonymous(from), user.id, identifier);
  return { userId: user.id, authVersion: user.authVersion };
}

/**
 * The account passes to the person who proved its address: everything that could let the previous holder sign in again is
 * removed. Roles, memberships and metadata remain. An account that holds scopes is `reserved` for its user.
 * @returns undefined if the account has changed meanwhile
 */
export async function reclaim(
  tx: TenantTx,
  user: KnownUser,
  identifier: string,
  from: Origin,
): Promise<Shown | 'reserved' | undefined> {
  const { id: userId } = user;
  if (!(await lockUnchangedUser(tx, user))) return undefined;
  if (await holdsScopes(tx, userId, 'locked')) return 'reserved';
  if (!(await setVerified(tx, userId, identifier))) return undefined;
  await keepIdentifiers(tx, userId, (one) => one.identifier === identifier);
  await forgetUndos(tx, userId);
  await deleteCredentials(tx, userId);
  await deleteFactorsOf(tx, userId);
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

/** The address leaves the account of another address, which is verified. */
export async function release(
  tx: TenantTx,
  user: KnownUser,
  identifier: string,
  from: Origin,
): Promise<void> {
  if (!(await lockUnchangedUser(tx, user))) return;
  await keepIdentifiers(tx, user.id, (one) => one.identifier !== identifier || one.verified);
  await raiseAuthVersion(tx, user.id);
  await record(tx, anonymous(from), {
    action: 'identifier.released',
    target: { kind: 'user', id: user.id },
    details: {},
    events: [{ type: 'user.updated', data: { user_id: user.id, fields: ['identifiers'] } }],
  });
}

/** Those that stay move up: users are sorted by their first one. */
async function keepIdentifiers(
  tx: TenantTx,
  userId: UserId,
  stays: (one: IdentifierRecord) => boolean,
): Promise<void> {
  const row = await findUser(tx, userId);
  if (row) await replaceIdentifiers(tx, userId, presentUser(row).identifiers.filter(stays));
}
