import type { FlowPurpose } from '@keywright/contract/records/login-flow';
import type { LoginFlowId, UserId, WorkspaceId } from '@keywright/contract/ids';
import { appendProof as append } from '../../../../sql/authentication/kw_append_proof.ts';
import { beginFlow } from '../../../../sql/authentication/kw_begin_flow.ts';
import { endFlow as end } from '../../../../sql/authentication/kw_end_flow.ts';
import { findFlow as find } from '../../../../sql/authentication/kw_find_flow.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import type { UserState } from '../proofs/index.ts';
import type { MethodName } from './methods.ts';

/** A proof as a flow keeps it. */
export interface StoredProof {
  readonly method: MethodName;
  readonly user_id: UserId;
  readonly auth_version: number;
  /** ISO 8601. */
  readonly at: string;
}

/** The user of a flow's identifier, as currently stored. */
export interface FlowUser extends UserState {
  readonly hasRecoveryCodes: boolean;
}

/** A flow, whether or not it has ended. */
export interface StoredFlow {
  readonly id: LoginFlowId;
  readonly purpose: FlowPurpose;
  readonly identifier: string;
  readonly workspaceId: WorkspaceId | undefined;
  readonly proofs: readonly StoredProof[];
  /** Increases with each proof. */
  readonly version: number;
  readonly expiresAt: Date;
  readonly endedAt: Date | undefined;
  readonly isComplete: boolean;
  readonly user: FlowUser | undefined;
}

export interface NewFlow {
  readonly id: LoginFlowId;
  readonly purpose: FlowPurpose;
  readonly tokenHash: Buffer;
  readonly identifier: string;
  readonly workspaceId: WorkspaceId | undefined;
  readonly proofs: readonly StoredProof[];
  readonly expiresAt: Date;
}

/** @param limit of open flows with one identifier; the oldest end */
export async function insertFlow(
  data: TenantData,
  { id: flow, workspaceId, proofs, ...rest }: NewFlow,
  limit: number,
  now: Date,
): Promise<void> {
  await data.call(beginFlow, {
    ...rest,
    flow,
    workspace: workspaceId ?? null,
    proofs: JSON.stringify(proofs),
    limit,
    now,
  });
}

export async function findFlow(
  data: TenantData,
  id: LoginFlowId,
  tokenHash: Buffer,
): Promise<StoredFlow | undefined> {
  const [row] = await data.call(find, { flow: id, tokenHash });
  if (!row) return undefined;
  return {
    id,
    purpose: row.purpose as FlowPurpose,
    identifier: row.identifier,
    workspaceId: row.workspace_id ?? undefined,
    proofs: row.proofs as unknown as StoredProof[],
    version: row.version,
    expiresAt: row.expires_at,
    endedAt: row.ended_at ?? undefined,
    isComplete: row.session_id !== null,
    user:
      row.user_id === null
        ? undefined
        : {
            id: row.user_id,
            isActive: row.is_active,
            authVersion: row.auth_version,
            hasSecondFactor: row.has_second_factor,
            hasRecoveryCodes: row.has_recovery_codes,
          },
  };
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

export async function endFlow(
  data: TenantData,
  id: LoginFlowId,
  tokenHash: Buffer,
  now: Date,
): Promise<void> {
  await data.call(end, { flow: id, tokenHash, now });
}
