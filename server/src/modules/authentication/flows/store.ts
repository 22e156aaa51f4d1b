import type { Acr } from '@keywright/contract/authentication';
import type { FlowPurpose } from '@keywright/contract/records/login-flow';
import type {
  IdentityProviderId,
  LoginFlowId,
  SessionId,
  UserId,
  WorkspaceId,
} from '@keywright/contract/ids';
import { appendProof as append } from '../../../../sql/authentication/kw_append_proof.ts';
import { endFlow as end } from '../../../../sql/authentication/kw_end_flow.ts';
import { startFlow } from '../../../../sql/authentication/kw_start_flow.ts';
import { redeemChallenge as redeem } from '../../../../sql/authentication/kw_redeem_challenge.ts';
import { callAs } from '../../../platform/db/calls.ts';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import type { InvitationRow } from '../../identity/invitations/index.ts';
import type { UserState } from '../proofs/index.ts';
import type { MessageFactor } from './message-factors.ts';
import type { MethodName } from './flow-methods.ts';
import type { Attempt } from '../attempts/index.ts';
import type { FlowSecret } from './secret.ts';

/** A proof as a flow keeps it. */
export interface StoredProof {
  readonly method: MethodName;
  readonly user_id: UserId;
  readonly auth_version: number;
  /** ISO 8601. */
  readonly at: string;
  /** Of a federated method: the provider that vouched for the user. */
  readonly provider?: IdentityProviderId;
  /** The ID of the known device that it came from, in base64url. */
  readonly device?: string;
  /** What it was counted by, in base64: given back when the flow is complete. */
  readonly counted?: readonly { readonly kind: Attempt['kind']; readonly subject: string }[];
}

/** The user of a flow's identifier, as currently stored. */
export interface FlowUser extends Omit<
  UserState,
  'hasMailbox' | 'hasVerifiedIdentifier' | 'factorChannels'
> {
  readonly hasRecoveryCodes: boolean;
  readonly hasTotp: boolean;
  /** Whether the identifier of the flow is verified. */
  readonly isVerified: boolean;
  /** Whether another identifier of theirs is. */
  readonly hasOthers: boolean;
  /** In an invitation to an unverified identifier: they hold scopes, so the account does not pass to the invitee. */
  readonly isReserved?: boolean;
}

/** A flow, whether or not it has ended. */
export interface StoredFlow {
  readonly id: LoginFlowId;
  readonly secret: FlowSecret;
  readonly purpose: FlowPurpose;
  /** Normalised. Empty until a passkey or a provider tells whose login it is. */
  readonly identifier: string;
  readonly workspaceId: WorkspaceId | undefined;
  /** An unknown identifier may register. */
  readonly registers: boolean;
  readonly locale: string | undefined;
  /** The flow whose message this one redeems. */
  readonly continues: LoginFlowId | undefined;
  /** It waits for the code or the link of a message. */
  readonly isSent: boolean;
  readonly proofs: readonly StoredProof[];
  /** Increases with each proof. */
  readonly version: number;
  readonly expiresAt: Date;
  readonly endedAt: Date | undefined;
  /** That it has led to. */
  readonly sessionId: SessionId | undefined;
  /** The least assurance that it has to lead to. */
  readonly acr: Acr | undefined;
  /** The session that it continues; undefined: it leads to a new one. */
  readonly stepsUp: SessionId | undefined;
  readonly user: FlowUser | undefined;
  /** That its session accepts. Undefined for other purposes, and once the invitation is deleted. */
  readonly invitation: InvitationRow | undefined;
  /** The code that it needs as a second factor, if its next step is one. */
  readonly messageFactor?: MessageFactor | undefined;
}

export interface NewFlow {
  readonly id: LoginFlowId;
  readonly purpose: FlowPurpose;
  readonly tokenHash: Buffer;
  /** The network that begins it. Null: it neither ends others nor is ended by them. */
  readonly openedFrom: Buffer | null;
  readonly identifier: string;
  readonly workspaceId: WorkspaceId | undefined;
  readonly registers: boolean;
  readonly locale: string | undefined;
  readonly userAgent: string | null;
  readonly continues: LoginFlowId | undefined;
  readonly proofs: readonly StoredProof[];
  readonly acr: Acr | undefined;
  readonly stepsUp: SessionId | undefined;
  readonly invitation: InvitationRow | undefined;
  readonly expiresAt: Date;
}

/** @param limit of open flows of one network with one identifier and no proof; the oldest end */
export async function insertFlow(
  data: TenantData,
  { id: flow, workspaceId, locale, continues, acr, stepsUp, proofs, invitation, ...rest }: NewFlow,
  limit: number,
  now: Date,
): Promise<void> {
  const given = {
    ...rest,
    flow,
    workspace: workspaceId ?? null,
    locale: locale ?? null,
    continues: continues ?? null,
    acr: acr ?? null,
    stepsUp: stepsUp ?? null,
    proofs: JSON.stringify(proofs),
    limit,
    now,
  };
  if (!invitation) return void (await data.call(startFlow, given));
  await data.transaction(async (tx) => {
    await callAs(tx, startFlow, given);
    await tx.db
      .updateTable('login_flows')
      .set({ invitation_id: invitation.id })
      .where('tenant_id', '=', tx.tenantId)
      .where('id', '=', flow)
      .execute();
  });
}

/** Locks a flow, before any other row. @returns whether it is open and in this version */
export async function lockFlow(tx: TenantTx, { id, version }: StoredFlow): Promise<boolean> {
  const row = await tx.db
    .selectFrom('login_flows')
    .select('id')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('version', '=', version)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', tx.now)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends a locked flow, whose session goes on. */
export async function endWith(tx: TenantTx, id: LoginFlowId, sessionId: SessionId): Promise<void> {
  await tx.db
    .updateTable('login_flows')
    .set({ ended_at: tx.now, session_id: sessionId })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .execute();
}

/** Names the user of a locked flow that began without an identifier: by a verified one, if they have any. */
export async function nameUser(tx: TenantTx, id: LoginFlowId, userId: UserId): Promise<void> {
  await tx.db
    .updateTable('login_flows')
    .set((eb) => ({
      identifier: eb
        .selectFrom('user_identifiers')
        .select('identifier')
        .where('tenant_id', '=', tx.tenantId)
        .where('user_id', '=', userId)
        .orderBy('verified', 'desc')
        .orderBy('position')
        .limit(1),
    }))
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('identifier', '=', '')
    .execute();
}

/** Makes a locked flow one that proves the account of an identifier, to which an identity is linked then. */
export async function beginLinking(
  tx: TenantTx,
  { id, version }: StoredFlow,
  identifier: string,
): Promise<void> {
  await tx.db
    .updateTable('login_flows')
    .set({ purpose: 'linking', identifier, version: version + 1 })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .execute();
}

/** Replaces the proofs of a locked flow. */
export async function replaceProofs(
  tx: TenantTx,
  { id, version }: StoredFlow,
  proofs: readonly StoredProof[],
): Promise<void> {
  await tx.db
    .updateTable('login_flows')
    .set({ proofs: JSON.stringify(proofs), version: version + 1 })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .execute();
}

/** @returns whether the flow was open and in this version */
export async function appendProof(
  data: TenantData,
  { id, version }: StoredFlow,
  proof: StoredProof,
  now: Date,
): Promise<boolean> {
  const given = { flow: id, version, proof: JSON.stringify([proof]), now };
  const [row] = await data.call(append, given);
  return row?.answer ?? false;
}

/** Uses a challenge and adds its proof. @returns whether both could be done */
export async function redeemChallenge(
  data: TenantData,
  { id, version }: StoredFlow,
  challenge: string,
  proof: StoredProof,
  now: Date,
): Promise<boolean> {
  const given = { flow: id, version, challenge, proof: JSON.stringify([proof]), now };
  const [row] = await data.call(redeem, given);
  return row?.answer ?? false;
}

/** The same with a change between the two, in the transaction of both. The change may lead to no proof. */
export async function redeemWith(
  tx: TenantTx,
  { id, version }: StoredFlow,
  challenge: string,
  change: () => Promise<StoredProof | undefined>,
): Promise<boolean> {
  const given = { flow: id, version, now: tx.now };
  const [used] = await callAs(tx, redeem, { ...given, challenge, proof: null });
  if (!used?.answer) return false;
  const proof = await change();
  if (proof) await callAs(tx, append, { ...given, proof: JSON.stringify([proof]) });
  return true;
}

export async function endFlow(
  data: TenantData,
  id: LoginFlowId,
  tokenHash: Buffer,
  now: Date,
): Promise<void> {
  await data.call(end, { flow: id, tokenHash, now });
}
