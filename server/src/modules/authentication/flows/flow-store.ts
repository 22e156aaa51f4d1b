import type { Acr } from '@keywright/contract/authentication';
import type {
  IdentityProviderId,
  LoginFlowId,
  SessionId,
  TenantId,
  UserId,
  WorkspaceId,
} from '@keywright/contract/ids';
import type { MessageChannel } from '@keywright/contract/messages';
import type { FlowPurpose } from '@keywright/contract/records/login-flow';
import { appendProof as append } from '../../../../sql/authentication/kw_append_proof.ts';
import { endFlow as end } from '../../../../sql/authentication/kw_end_flow.ts';
import {
  findFlowState,
  type FindFlowStateRow,
} from '../../../../sql/authentication/kw_find_flow_state.ts';
import { redeemChallenge as redeem } from '../../../../sql/authentication/kw_redeem_challenge.ts';
import { startFlow } from '../../../../sql/authentication/kw_start_flow.ts';
import { callAs } from '../../../platform/db/calls.ts';
import type { Attempt } from '../../../tenancy/counters.ts';
import { from, type Gate, type TenantData, type TenantTx, update } from '../../../tenancy/gate.ts';
import type { InvitationRow } from '../../identity/invitations/index.ts';
import type { MethodName, UserState } from '../proofs/index.ts';
import { type FlowSecret, flowTokenHash } from './known-devices.ts';

/** A proof as it is stored in a flow. */
export interface StoredProof {
  readonly method: MethodName;
  readonly user_id: UserId;
  readonly auth_version: number;
  /** ISO 8601. */
  readonly at: string;
  /** The provider that vouched for the user, with a federated method. */
  readonly provider?: IdentityProviderId;
  /** The base64url ID of the known device that the proof came from. */
  readonly device?: string;
  /** Its counters, in base64: the attempt is discounted when the flow is complete. */
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
  /** Whether the user has another verified identifier. */
  readonly hasOthers: boolean;
  /**
   * Whether an invitation must not transfer the account to the invitee: its identifier is unverified, but the user
   * holds scopes.
   */
  readonly isReserved?: boolean;
}

/** A code to a verified identifier that a tenant accepts as a second factor. */
export interface MessageFactor {
  readonly channel: MessageChannel;
  /** Undefined after too many consecutive wrong codes. Nothing weaker replaces the factor. */
  readonly destination: string | undefined;
}

/** A flow, whether or not it has ended. */
export interface StoredFlow {
  readonly id: LoginFlowId;
  readonly secret: FlowSecret;
  readonly purpose: FlowPurpose;
  /** Normalized. Empty until a passkey or a provider identifies the user. */
  readonly identifier: string;
  readonly workspaceId: WorkspaceId | undefined;
  /** Whether an unknown identifier can register. */
  readonly registers: boolean;
  readonly locale: string | undefined;
  /** The flow whose message this one redeems. */
  readonly continues: LoginFlowId | undefined;
  /** Whether the flow waits for the code or the link of a message. */
  readonly isSent: boolean;
  readonly proofs: readonly StoredProof[];
  /** Increases with each proof. */
  readonly version: number;
  readonly expiresAt: Date;
  readonly endedAt: Date | undefined;
  /** The session that the flow has led to. */
  readonly sessionId: SessionId | undefined;
  /** The minimum assurance that the flow must reach. */
  readonly acr: Acr | undefined;
  /** The session that the flow steps up; undefined if it opens a new session. */
  readonly stepsUp: SessionId | undefined;
  readonly user: FlowUser | undefined;
  /** The invitation that its session accepts; undefined for other purposes, and once the invitation is deleted. */
  readonly invitation: InvitationRow | undefined;
  /** The code that the flow needs as a second factor, if that is its next step. */
  readonly messageFactor?: MessageFactor | undefined;
}

/** The flow of a request, and the secret in its token. */
export interface FlowRef {
  readonly tenantId: TenantId;
  readonly id: LoginFlowId;
  readonly secret: FlowSecret;
}

/** Loads flows of any tenants in one statement. @returns undefined for an unknown ID or a wrong secret */
export async function loadFlows(
  gate: Gate,
  refs: readonly FlowRef[],
): Promise<readonly (StoredFlow | undefined)[]> {
  const found = await gate.callEach(findFlowState, refs.map(flowItem));
  return ofFlows(refs, found, (flow) => flow);
}

/** Returns the results of loaded flows, in the order of their references. @param rows of each flow: one or none */
export function ofFlows<Row extends FindFlowStateRow, Result>(
  refs: readonly FlowRef[],
  rows: readonly (readonly Row[])[],
  resultOf: (flow: StoredFlow, row: Row) => Result,
): (Result | undefined)[] {
  return refs.map((ref, index) => {
    const row = rows[index]?.[0];
    return row && resultOf(storedFlow(ref, row), row);
  });
}

export function flowItem({ tenantId, id, secret }: FlowRef) {
  return { tenant: tenantId, flow: id, tokenHash: secret.hash };
}

function storedFlow({ id, secret }: FlowRef, row: FindFlowStateRow): StoredFlow {
  return {
    invitation: undefined,
    id,
    secret,
    purpose: row.purpose,
    identifier: row.identifier,
    workspaceId: row.workspace_id ?? undefined,
    registers: row.registers,
    locale: row.locale ?? undefined,
    continues: row.continues ?? undefined,
    isSent: row.is_sent,
    proofs: row.proofs as StoredProof[],
    version: row.version,
    expiresAt: row.expires_at,
    endedAt: row.ended_at ?? undefined,
    sessionId: row.session_id ?? undefined,
    acr: row.acr ?? undefined,
    stepsUp: row.steps_up ?? undefined,
    user:
      row.user_id === null
        ? undefined
        : {
            id: row.user_id,
            isActive: row.is_active,
            authVersion: row.auth_version,
            hasSecondFactor: row.has_second_factor,
            hasRecoveryCodes: row.has_recovery_codes,
            hasTotp: row.has_totp,
            hasPasskey: row.has_passkey,
            isVerified: row.is_verified,
            hasOthers: row.has_others,
          },
  };
}

export interface NewFlow extends Pick<
  StoredFlow,
  | 'id'
  | 'purpose'
  | 'identifier'
  | 'workspaceId'
  | 'registers'
  | 'locale'
  | 'continues'
  | 'proofs'
  | 'acr'
  | 'stepsUp'
  | 'invitation'
  | 'expiresAt'
> {
  readonly tokenHash: Buffer;
  /** The network that starts the flow. Null if the flow neither ends others nor is ended by them. */
  readonly openedFrom: Buffer | null;
  readonly userAgent: string | null;
  /** The name of the user whom the flow creates. */
  readonly name: string | null;
}

/** Stores a flow. @param limit of open flows of one network with one identifier and no proof; the oldest end */
export async function insertFlow(
  data: TenantData,
  {
    id: flow,
    workspaceId,
    locale,
    continues,
    acr,
    stepsUp,
    proofs,
    invitation,
    name,
    ...rest
  }: NewFlow,
  limit: number,
  now: Date,
): Promise<void> {
  const values = {
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
  if (!invitation && name === null) return void (await data.call(startFlow, values));
  await data.transaction(async (tx) => {
    await callAs(tx, startFlow, values);
    await update(tx, 'login_flows')
      .set({ invitation_id: invitation?.id ?? null, name })
      .where('id', '=', flow)
      .execute();
  });
}

/** The name of the user whom a flow creates. */
export async function findNewName(tx: TenantTx, id: LoginFlowId): Promise<string | null> {
  const row = await from(tx, 'login_flows').select('name').where('id', '=', id).executeTakeFirst();
  return row?.name ?? null;
}

/** Locks a flow, before any other row. @returns whether it is open and in this version */
export async function lockFlow(tx: TenantTx, { id, version }: StoredFlow): Promise<boolean> {
  const row = await from(tx, 'login_flows')
    .select('id')
    .where('id', '=', id)
    .where('version', '=', version)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', tx.now)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends a locked flow that steps up a session. */
export async function endStepUp(
  tx: TenantTx,
  id: LoginFlowId,
  sessionId: SessionId,
): Promise<void> {
  await update(tx, 'login_flows')
    .set({ ended_at: tx.now, session_id: sessionId })
    .where('id', '=', id)
    .execute();
}

/** Sets the user of a locked flow that started without an identifier, by a verified identifier if the user has any. */
export async function nameUser(tx: TenantTx, id: LoginFlowId, userId: UserId): Promise<void> {
  await update(tx, 'login_flows')
    .set({
      identifier: from(tx, 'user_identifiers')
        .select('identifier')
        .where('user_id', '=', userId)
        .orderBy('verified', 'desc')
        .orderBy('position')
        .limit(1),
    })
    .where('id', '=', id)
    .where('identifier', '=', '')
    .execute();
}

/** Turns a locked flow into one that proves the account of an identifier, before an identity is linked to it. */
export async function startLinking(
  tx: TenantTx,
  { id, version }: StoredFlow,
  identifier: string,
): Promise<void> {
  await update(tx, 'login_flows')
    .set({ purpose: 'linking', identifier, version: version + 1 })
    .where('id', '=', id)
    .execute();
}

/** Replaces the proofs of a locked flow. */
export async function replaceProofs(
  tx: TenantTx,
  { id, version }: StoredFlow,
  proofs: readonly StoredProof[],
): Promise<void> {
  await update(tx, 'login_flows')
    .set({ proofs: JSON.stringify(proofs), version: version + 1 })
    .where('id', '=', id)
    .execute();
}

/** Adds a proof. @returns whether the flow was open and in this version */
export async function appendProof(
  data: TenantData,
  { id, version }: StoredFlow,
  proof: StoredProof,
  now: Date,
): Promise<boolean> {
  const values = { flow: id, version, proof: JSON.stringify([proof]), now };
  const [row] = await data.call(append, values);
  return row?.answer ?? false;
}

/** Uses a challenge and adds its proof. @returns whether both were possible */
export async function redeemChallenge(
  data: TenantData,
  { id, version }: StoredFlow,
  challenge: string,
  proof: StoredProof,
  now: Date,
): Promise<boolean> {
  const values = { flow: id, version, challenge, proof: JSON.stringify([proof]), now };
  const [row] = await data.call(redeem, values);
  return row?.answer ?? false;
}

/**
 * Uses a challenge and locks its flow.
 * @returns whether the flow was open and in this version, and the challenge unused
 */
export async function redeemChallengeWithin(
  tx: TenantTx,
  { id, version }: StoredFlow,
  challenge: string,
): Promise<boolean> {
  const values = { flow: id, version, challenge, proof: null, now: tx.now };
  const [row] = await callAs(tx, redeem, values);
  return row?.answer ?? false;
}

export async function endFlow(
  data: TenantData,
  id: LoginFlowId,
  tokenHash: Buffer,
  now: Date,
): Promise<void> {
  await data.call(end, { flow: id, tokenHash, now });
}

/** Stores the request that a page was handling, for the browser that opens the link of the flow's message. */
export async function savePage(
  tx: TenantTx,
  { id, token }: { readonly id: LoginFlowId; readonly token: string },
  page: string,
): Promise<void> {
  await update(tx, 'login_flows')
    .set({ page })
    .where('id', '=', id)
    .where('token_hash', '=', flowTokenHash(token))
    .execute();
}

export async function findPage(tx: TenantTx, id: LoginFlowId): Promise<string | undefined> {
  const row = await from(tx, 'login_flows').select('page').where('id', '=', id).executeTakeFirst();
  return row?.page ?? undefined;
}
