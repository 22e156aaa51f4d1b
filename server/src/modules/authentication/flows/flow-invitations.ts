import type { Fail } from '@keywright/contract/errors';
import type { LoginFlowId, UserId } from '@keywright/contract/ids';
import type { InvitationState } from '@keywright/contract/records/invitation';
import type { Clock } from '../../../platform/clock.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { anonymous, joining, type Notes } from '../../events/journal/index.ts';
import { invitationOfToken } from '../../events/messages/index.ts';
import {
  acceptInvitation,
  findInvitation,
  findInviterName,
  findOfFlow,
  findStartPage,
  grantorOf,
  holdInvitation,
  InvitationRefused,
  type InvitationRow,
  stateOf,
} from '../../identity/invitations/index.ts';
import { holdsScopes, isVerifiedAddress } from '../../identity/users/index.ts';
import { inviteeOf } from './flow-rules.ts';
import type { StoredFlow } from './flow-store.ts';

/** An invitation, as described to a client with its token. */
interface ReadableInvitation {
  readonly state: InvitationState;
  readonly invitation: InvitationRow;
  /** Null if the inviter was deleted, or is not a user or agent of the tenant. */
  readonly inviter: string | null;
  /** Whether accepting it creates a user. */
  readonly isNew: boolean;
  /** The page of the invitation's application, if it has one. */
  readonly startPage: Awaited<ReturnType<typeof findStartPage>>;
}

/** The steps to accept an invitation, in a transaction that has locked the flow. */
export interface Acceptance {
  /** Checks that the invitation can still be accepted. */
  readonly lock: (tx: TenantTx, receiver: UserId | undefined) => Promise<void>;
  /** Accepts the invitation before the session of its user is opened. */
  readonly accept: (tx: TenantTx, userId: UserId) => Promise<void>;
}

const NOTHING_TO_ACCEPT: Acceptance = { lock: async () => {}, accept: async () => {} };

/** Invitations that flows accept. */
export class FlowInvitations {
  readonly #gate: Gate;
  readonly #clock: Clock;
  readonly #dataKeys: DataKeys;
  readonly #notes: Notes;

  constructor({ gate, clock, dataKeys }: Core, notes: Notes) {
    this.#gate = gate;
    this.#clock = clock;
    this.#dataKeys = dataKeys;
    this.#notes = notes;
  }

  /** @returns undefined if the token is wrong */
  async read({ id: tenantId }: Tenant, token: string): Promise<ReadableInvitation | undefined> {
    const id = await this.#dataKeys.use(tenantId, (key) => invitationOfToken(key, token));
    if (id === undefined) return undefined;
    return this.#gate.into(tenantId).transaction(async (tx) => {
      const row = await findInvitation(tx, id);
      if (!row) return undefined;
      return {
        state: stateOf(row, this.#clock.now()),
        invitation: row,
        inviter: await findInviterName(tx, row),
        isNew: !(await isVerifiedAddress(tx, row.identifier)),
        startPage: row.client_id === null ? undefined : await findStartPage(tx, row.client_id),
      };
    });
  }

  /** @returns undefined if the token is wrong, or its invitation can no longer be accepted */
  async findPending(tenant: Tenant, token: string): Promise<ReadableInvitation | undefined> {
    const found = await this.read(tenant, token);
    return found?.state === 'pending' ? found : undefined;
  }

  /** Finds the pending invitation of a flow, for another flow that continues it. */
  async findPendingOf(
    { id: tenantId }: Tenant,
    flowId: LoginFlowId,
  ): Promise<InvitationRow | undefined> {
    const row = await this.#gate.into(tenantId).transaction((tx) => findOfFlow(tx, flowId));
    return row && stateOf(row, this.#clock.now()) === 'pending' ? row : undefined;
  }

  /** Adds its invitation to a loaded flow. */
  addTo({ id: tenantId }: Tenant, flow: StoredFlow): Promise<StoredFlow> {
    const { user } = flow;
    return this.#gate.into(tenantId).transaction(async (tx) => {
      const invitation = await findOfFlow(tx, flow.id);
      if (!user || user.isVerified) return { ...flow, invitation };
      return { ...flow, invitation, user: { ...user, isReserved: await holdsScopes(tx, user.id) } };
    });
  }

  /**
   * Runs a step of a flow, and accepts the flow's invitation, if it has one. If the invitation cannot be accepted, the
   * step is rolled back and the reason is recorded, but not reported to the invitee.
   */
  async accepting<Result>(
    { id: tenantId }: Tenant,
    flow: StoredFlow,
    from: Origin,
    step: (acceptance: Acceptance) => Promise<Result>,
    fail: Fail<'FLOW_ENDED'>,
  ): Promise<Result> {
    const { invitation } = flow;
    if (!invitation) return step(NOTHING_TO_ACCEPT);
    const grantor = await grantorOf(this.#gate, invitation);
    const lock: Acceptance['lock'] = (tx, to) => holdInvitation(tx, invitation, grantor, to);
    const accept: Acceptance['accept'] = async (tx, userId) => {
      await lock(tx, userId);
      await acceptInvitation(tx, invitation, userId, joining(userId, from));
    };
    try {
      return await step({ lock, accept });
    } catch (error) {
      if (!(error instanceof InvitationRefused)) throw error;
      this.#noteRefusal(tenantId, flow, from, error);
      return fail('FLOW_ENDED');
    }
  }

  #noteRefusal(
    tenantId: Tenant['id'],
    { id: flowId, user }: StoredFlow,
    from: Origin,
    { invitationId, reason }: InvitationRefused,
  ): void {
    this.#notes.note(tenantId, anonymous(from), {
      action: 'invitation.refused',
      target: { kind: 'invitation', id: invitationId },
      outcome: 'failure',
      details: { reason, flow_id: flowId, user_id: user?.id ?? null },
    });
  }
}

/** Returns the user who receives the invitation; undefined for a new user. */
export function receiverOf(flow: StoredFlow): UserId | undefined {
  const { user } = flow;
  return user && inviteeOf(flow).id === user.id ? user.id : undefined;
}
