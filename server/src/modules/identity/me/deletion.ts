import { parseIdentifier } from '@keywright/contract/identifiers';
import type { Fail } from '@keywright/contract/errors';
import type { UserId } from '@keywright/contract/ids';
import {
  type AccountDeletion,
  LISTED_WORKSPACES,
} from '@keywright/contract/records/account-deletion';
import type { UserCaller } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { findUserDependents } from '../../machines/dependents/index.ts';
import type { Notify } from '../../events/messages/index.ts';
import { lockOneself, findUser } from '../users/index.ts';
import { deleteOneself } from '../user-administration/index.ts';
import { countConsents, findMemberships } from './deletion-store.ts';

interface Dependencies {
  readonly gate: Gate;
  readonly notify: Notify;
}

/** What would end with the account of the caller. */
export function previewDeletion(
  { gate }: Dependencies,
  tenant: Tenant,
  { subject }: UserCaller,
  fail: Fail<'TOKEN_INVALID'>,
): Promise<AccountDeletion> {
  return gate.into(tenant.id).transaction(async (tx) => {
    const dependents = (await findUserDependents(tx, subject, tx.now)) ?? fail('TOKEN_INVALID');
    const { is_active: _, ...ending } = dependents;
    return {
      ...ending,
      allowed: tenant.config.allow_account_deletion,
      consents: await countConsents(tx, subject),
      workspaces: await findMemberships(tx, subject, LISTED_WORKSPACES),
    };
  });
}

/** Deletes the account of the caller, who names it. The verified addresses are told, which are gone afterwards. */
export async function deleteAccount(
  { gate, notify }: Dependencies,
  tenant: Tenant,
  caller: UserCaller,
  identifier: string,
  fail: Fail<
    | 'VALIDATION_FAILED'
    | 'TOKEN_INVALID'
    | 'STEP_UP_REQUIRED'
    | 'ACCOUNT_DELETION_OFF'
    | 'LAST_ADMINISTRATOR'
  >,
): Promise<UserId> {
  const { subject: userId } = caller;
  if (!tenant.config.allow_account_deletion) fail('ACCOUNT_DELETION_OFF');
  await gate.into(tenant.id).transaction(async (tx) => {
    await lockOneself(tx, caller, fail);
    await requireNamed(tx, userId, identifier, fail);
    await notify(tx, tenant, { userId, kind: 'notice.account_deleted' });
    await deleteOneself(tx, caller, fail);
  });
  return userId;
}

/** A confirmation that no single click gives. */
async function requireNamed(
  tx: TenantTx,
  userId: UserId,
  typed: string,
  fail: Fail<'VALIDATION_FAILED'>,
): Promise<void> {
  const named = parseIdentifier(typed)?.identifier;
  const user = await findUser(tx, userId);
  if (named !== undefined && user?.identifiers.some((one) => one.identifier === named)) return;
  const message = 'must be one of your own addresses';
  fail('VALIDATION_FAILED', { errors: [{ path: '/identifier', message }] });
}
