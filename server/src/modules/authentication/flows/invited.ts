import type { Fail } from '@keywright/contract/errors';
import type { LoginFlowId, UserId } from '@keywright/contract/ids';
import type { InvitationState } from '@keywright/contract/records/invitation';
import type { Clock } from '../../../platform/clock.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import {
  acceptInvitation,
  findInvitation,
  findInviterName,
  findOfFlow,
  grantorOf,
  holdInvitation,
  InvitationRefused,
  type InvitationRow,
  stateOf,
} from '../../identity/invitations/index.ts';
import { anonymous, type Notes } from '../../events/journal/index.ts';
import { holdsScopes } from '../../identity/users/index.ts';
import type { SessionRequest, SessionService } from '../../tokens/sessions/index.ts';
import type { Permit } from '../proofs/index.ts';
import { invitationOfToken } from '../../events/messages/index.ts';
import { inviteeOf } from './rules.ts';
import type { StoredFlow } from './store.ts';

interface Dependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly dataKeys: DataKeys;
}

/** @returns undefined if the token is wrong, or its invitation can no longer be accepted */
export async function findInvited(
  { gate, clock, dataKeys }: Dependencies,
  { id: tenantId }: Tenant,
  token: string,
): Promise<InvitationRow | undefined> {
  const id = await dataKeys.use(tenantId, (key) => invitationOfToken(key, token));
  if (id === undefined) return undefined;
  const row = await gate.into(tenantId).transaction((tx) => findInvitation(tx, id));
  return row && stateOf(row, clock.now()) === 'pending' ? row : undefined;
}

/** What whoever has the token of an invitation is told of it. */
interface ReadableInvitation {
  readonly state: InvitationState;
  readonly identifier: string;
  /** Undefined: somebody who is gone, or no user or agent of the tenant. */
  readonly inviter: string | undefined;
}

/** Undefined: the token is wrong. */
export type ReadInvitation = (
  tenant: Tenant,
  token: string,
) => Promise<ReadableInvitation | undefined>;

export function createReadInvitation({ gate, clock, dataKeys }: Dependencies): ReadInvitation {
  return async ({ id: tenantId }, token) => {
    const id = await dataKeys.use(tenantId, (key) => invitationOfToken(key, token));
    if (id === undefined) return undefined;
    return gate.into(tenantId).transaction(async (tx) => {
      const row = await findInvitation(tx, id);
      if (!row) return undefined;
      const state = stateOf(row, clock.now());
      return { state, identifier: row.identifier, inviter: await findInviterName(tx, row) };
    });
  };
}

/** The same for a flow that continues another one. */
export async function findContinued(
  { gate, clock }: Dependencies,
  { id: tenantId }: Tenant,
  flowId: LoginFlowId,
): Promise<InvitationRow | undefined> {
  const row = await gate.into(tenantId).transaction((tx) => findOfFlow(tx, flowId));
  return row && stateOf(row, clock.now()) === 'pending' ? row : undefined;
}

/** A flow as it was loaded, with its invitation. Only flows that have one cost a statement. */
export async function withInvitation(
  gate: Gate,
  { id: tenantId }: Pick<Tenant, 'id'>,
  flow: StoredFlow,
): Promise<StoredFlow> {
  // A flow that links an identity may have begun with an invitation.
  if (flow.purpose !== 'invitation' && flow.purpose !== 'linking') return flow;
  const { user } = flow;
  return gate.into(tenantId).transaction(async (tx) => {
    const invitation = await findOfFlow(tx, flow.id);
    if (!user || user.isVerified) return { ...flow, invitation };
    return { ...flow, invitation, user: { ...user, isReserved: await holdsScopes(tx, user.id) } };
  });
}

/** In a transaction whose flow is locked. */
export interface Acceptance {
  /** Checks that the invitation may still be accepted. */
  readonly hold: (tx: TenantTx, to: UserId | undefined) => Promise<void>;
  /** Accepts it, before the session of its user is opened. */
  readonly accept: (tx: TenantTx, userId: UserId) => Promise<void>;
}

/**
 * Runs a step of a flow, which accepts the invitation of that flow, if it has one. One that may not be accepted rolls the
 * step back, and is recorded: whoever was invited is not told why.
 */
export async function accepting<Result>(
  { gate, notes }: { readonly gate: Gate; readonly notes: Notes },
  { id: tenantId }: Tenant,
  flow: StoredFlow,
  from: Origin,
  step: (acceptance: Acceptance) => Promise<Result>,
  fail: Fail<'FLOW_ENDED'>,
): Promise<Result> {
  const { invitation } = flow;
  if (!invitation) return step(NOTHING_TO_ACCEPT);
  const grantor = await grantorOf(gate, invitation);
  const hold: Acceptance['hold'] = (tx, to) => holdInvitation(tx, invitation, grantor, to);
  try {
    return await step({
      hold,
      accept: async (tx, userId) => {
        await hold(tx, userId);
        await acceptInvitation(tx, invitation, userId, anonymous(from));
      },
    });
  } catch (error) {
    if (!(error instanceof InvitationRefused)) throw error;
    noteRefusal(notes, tenantId, flow, from, error);
    return fail('FLOW_ENDED');
  }
}

/** Opens a session in the transaction of a change, which also accepts the invitation of the flow. */
export function openAccepting(
  given: {
    readonly gate: Gate;
    readonly notes: Notes;
    readonly sessions: SessionService;
  },
  tenant: Tenant,
  flow: StoredFlow,
  request: Omit<SessionRequest, 'permit'>,
  change: (tx: TenantTx, acceptance: Acceptance) => Promise<Permit>,
  fail: Fail<'FLOW_ENDED'>,
): ReturnType<SessionService['openFirst']> {
  const step = (acceptance: Acceptance) =>
    given.sessions.openFirst(tenant, request, async (tx) => {
      const permit = await change(tx, acceptance);
      await acceptance.accept(tx, permit.userId);
      return permit;
    });
  return accepting(given, tenant, flow, request.from, step, fail);
}

const NOTHING_TO_ACCEPT: Acceptance = { hold: async () => {}, accept: async () => {} };

function noteRefusal(
  notes: Notes,
  tenantId: Tenant['id'],
  { id: flowId, user }: StoredFlow,
  from: Origin,
  { invitationId, reason }: InvitationRefused,
): void {
  notes.note(tenantId, anonymous(from), {
    action: 'invitation.refused',
    target: { kind: 'invitation', id: invitationId },
    outcome: 'failure',
    details: { reason, flow_id: flowId, user_id: user?.id ?? null },
  });
}

/** To whom an invitation goes: undefined for somebody who is new. */
export function receiverOf(flow: StoredFlow): UserId | undefined {
  const { user } = flow;
  return user && inviteeOf(flow).id === user.id ? user.id : undefined;
}
