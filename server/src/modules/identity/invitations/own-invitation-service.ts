import { isFresh } from '@keywright/contract/assurance';
import type { Fail } from '@keywright/contract/errors';
import { type InvitationId, parseInvitationId } from '@keywright/contract/ids';
import type { OwnInvitationRecord } from '@keywright/contract/records/own-invitation';
import { epochSeconds } from '../../../platform/clock.ts';
import type { UserCaller } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Notes, record } from '../../events/journal/index.ts';
import { lockOneself } from '../users/index.ts';
import {
  acceptInvitation,
  grantorOf,
  holdInvitation,
  InvitationRefused,
} from './invitation-acceptance.ts';
import {
  changePending,
  findOnePendingTo,
  findPendingTo,
  type OwnInvitation,
} from './invitation-store.ts';
import { requiresSecondFactor } from '../roles/index.ts';

export interface OwnInvitationDependencies {
  readonly gate: Gate;
  readonly notes: Notes;
}

export async function listOwn(
  { gate }: OwnInvitationDependencies,
  tenant: Tenant,
  { subject }: UserCaller,
): Promise<OwnInvitationRecord[]> {
  const rows = await gate.into(tenant.id).transaction((tx) => findPendingTo(tx, subject));
  return rows.map((row) => presentOwn(row));
}

type Refuse = Fail<'TOKEN_INVALID' | 'NOT_FOUND' | 'STEP_UP_REQUIRED'>;

/** Accepts what was sent to an address that the caller has verified. */
export async function accept(
  dependencies: OwnInvitationDependencies,
  tenant: Tenant,
  caller: UserCaller,
  id: string,
  fail: Refuse,
): Promise<OwnInvitationRecord> {
  const { gate, notes } = dependencies;
  const { subject } = caller;
  const invitationId = parseInvitationId(id) ?? fail('NOT_FOUND');
  const data = gate.into(tenant.id);
  const row =
    (await data.transaction((tx) => findOnePendingTo(tx, subject, invitationId))) ??
    fail('NOT_FOUND');
  const grantor = await grantorOf(gate, row);
  const needsFactor = await requiresSecondFactor(data, tenant.config, subject, row.roles);
  try {
    await data.transaction(async (tx) => {
      await lockOneself(tx, caller, fail);
      if (needsFactor) requireSecondFactor(caller, tx.now, fail);
      // The address may have been removed meanwhile.
      if (!(await findOnePendingTo(tx, subject, invitationId))) fail('NOT_FOUND');
      await holdInvitation(tx, row, grantor, subject);
      await acceptInvitation(tx, row, subject, caller);
    });
  } catch (error) {
    if (!(error instanceof InvitationRefused)) throw error;
    notes.note(tenant.id, caller, {
      action: 'invitation.refused',
      target: { kind: 'invitation', id: invitationId },
      outcome: 'failure',
      details: { reason: error.reason, user_id: subject },
    });
    return fail('NOT_FOUND');
  }
  return presentOwn(row);
}

export async function decline(
  { gate }: OwnInvitationDependencies,
  tenant: Tenant,
  caller: UserCaller,
  id: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<InvitationId> {
  const invitationId = parseInvitationId(id) ?? fail('NOT_FOUND');
  await gate.into(tenant.id).transaction(async (tx) => {
    const isTheirs = await findOnePendingTo(tx, caller.subject, invitationId);
    if (!isTheirs || !(await changePending(tx, invitationId, { revoked_at: tx.now }))) {
      fail('NOT_FOUND');
    }
    const target = { kind: 'invitation', id: invitationId } as const;
    await record(tx, caller, { action: 'invitation.declined', target, details: {} });
  });
  return invitationId;
}

function requireSecondFactor(
  { claims }: UserCaller,
  now: Date,
  fail: Fail<'STEP_UP_REQUIRED'>,
): void {
  const demand = { acr: 'aal2' as const };
  if (!isFresh(claims, demand, epochSeconds(now))) fail('STEP_UP_REQUIRED', { stepUp: demand });
}

function presentOwn(row: OwnInvitation): OwnInvitationRecord {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    identifier: row.identifier,
    roles: row.roles,
    workspaces: row.workspace_names.map(({ id, name }) => ({
      id,
      tenant_id: row.tenant_id,
      name,
    })),
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}
