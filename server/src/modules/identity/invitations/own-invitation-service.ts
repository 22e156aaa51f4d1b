import { isFresh } from '@keywright/contract/assurance';
import type { Fail } from '@keywright/contract/errors';
import { type InvitationId, parseInvitationId } from '@keywright/contract/ids';
import type { OwnInvitationRecord } from '@keywright/contract/records/own-invitation';
import { epochSeconds } from '../../../platform/clock.ts';
import type { UserCaller } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Notes, record } from '../../events/journal/index.ts';
import { requiresSecondFactor } from '../roles/index.ts';
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

/** The invitations to the caller's verified addresses. */
export class OwnInvitationService {
  readonly #gate: Gate;
  readonly #notes: Notes;

  constructor(gate: Gate, notes: Notes) {
    this.#gate = gate;
    this.#notes = notes;
  }

  async list(tenant: Tenant, { subject }: UserCaller): Promise<OwnInvitationRecord[]> {
    const data = this.#gate.into(tenant.id);
    const rows = await data.transaction((tx) => findPendingTo(tx, subject));
    return rows.map((row) => present(row));
  }

  async accept(
    tenant: Tenant,
    caller: UserCaller,
    id: string,
    fail: Fail<'TOKEN_INVALID' | 'NOT_FOUND' | 'STEP_UP_REQUIRED'>,
  ): Promise<OwnInvitationRecord> {
    const { subject } = caller;
    const invitationId = parseInvitationId(id) ?? fail('NOT_FOUND');
    const data = this.#gate.into(tenant.id);
    const row =
      (await data.transaction((tx) => findOnePendingTo(tx, subject, invitationId))) ??
      fail('NOT_FOUND');
    const grantor = await grantorOf(this.#gate, row);
    const needsFactor = await requiresSecondFactor(data, tenant.config, subject, row.roles);
    try {
      await data.transaction(async (tx) => {
        await lockOneself(tx, caller, fail);
        if (needsFactor) requireSecondFactor(caller, tx.now, fail);
        // The user might have removed the address in the meantime.
        if (!(await findOnePendingTo(tx, subject, invitationId))) fail('NOT_FOUND');
        await holdInvitation(tx, row, grantor, subject);
        await acceptInvitation(tx, row, subject, caller);
      });
    } catch (error) {
      if (!(error instanceof InvitationRefused)) throw error;
      this.#notes.note(tenant.id, caller, {
        action: 'invitation.refused',
        target: { kind: 'invitation', id: invitationId },
        outcome: 'failure',
        details: { reason: error.reason, user_id: subject },
      });
      return fail('NOT_FOUND');
    }
    return present(row);
  }

  async decline(
    tenant: Tenant,
    caller: UserCaller,
    id: string,
    fail: Fail<'NOT_FOUND'>,
  ): Promise<InvitationId> {
    const invitationId = parseInvitationId(id) ?? fail('NOT_FOUND');
    await this.#gate.into(tenant.id).transaction(async (tx) => {
      const isTheirs = await findOnePendingTo(tx, caller.subject, invitationId);
      if (!isTheirs || !(await changePending(tx, invitationId, { revoked_at: tx.now }))) {
        fail('NOT_FOUND');
      }
      const target = { kind: 'invitation', id: invitationId } as const;
      await record(tx, caller, { action: 'invitation.declined', target, details: {} });
    });
    return invitationId;
  }
}

function requireSecondFactor(
  { claims }: UserCaller,
  now: Date,
  fail: Fail<'STEP_UP_REQUIRED'>,
): void {
  const required = { acr: 'aal2' as const };
  if (!isFresh(claims, required, epochSeconds(now))) {
    fail('STEP_UP_REQUIRED', { stepUp: required });
  }
}

function present(row: OwnInvitation): OwnInvitationRecord {
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
