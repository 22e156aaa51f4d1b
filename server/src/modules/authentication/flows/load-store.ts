import type { LoginFlowId, TenantId } from '@keywright/contract/ids';
import type { FlowPurpose } from '@keywright/contract/records/login-flow';
import {
  findFlowStates,
  type FindFlowStatesRow,
} from '../../../../sql/authentication/kw_find_flow_states.ts';
import { batched } from '../../../platform/db/batch.ts';
import { rowsByPlace } from '../../../platform/db/writes.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { FlowSecret } from './secret.ts';
import type { StoredFlow, StoredProof } from './store.ts';

/** A flow of a request, and its secret. */
export interface FlowRef {
  readonly tenantId: TenantId;
  readonly id: LoginFlowId;
  readonly secret: FlowSecret;
}

/** @returns undefined for an unknown id, or another secret */
export type LoadFlow = (ref: FlowRef) => Promise<StoredFlow | undefined>;

/** Concurrent lookups, of any tenants, are one statement. */
export function createLoadFlow(gate: Gate): LoadFlow {
  return batched((refs: readonly FlowRef[]) => loadAll(gate, refs), { size: 32, flights: 1 });
}

async function loadAll(
  gate: Gate,
  refs: readonly FlowRef[],
): Promise<readonly (StoredFlow | undefined)[]> {
  const rows = await gate.callMany(findFlowStates, argumentsOf(refs));
  return rowsByPlace(refs.length, rows).map(
    ([row], index) => row && storedFlow(refs[index] as FlowRef, row),
  );
}

export function argumentsOf(refs: readonly FlowRef[]) {
  return {
    tenants: refs.map((one) => one.tenantId),
    flows: refs.map((one) => one.id),
    tokenHashes: refs.map((one) => one.secret.hash),
  };
}

export function storedFlow({ id, secret }: FlowRef, row: FindFlowStatesRow): StoredFlow {
  return {
    invitation: undefined,
    id,
    secret,
    purpose: row.purpose as FlowPurpose,
    identifier: row.identifier,
    workspaceId: row.workspace_id ?? undefined,
    registers: row.registers,
    locale: row.locale ?? undefined,
    continues: (row.continues as LoginFlowId | null) ?? undefined,
    isSent: row.is_sent,
    proofs: row.proofs as unknown as StoredProof[],
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
