import type { Fail } from '@keywright/contract/errors';
import type { TenantId, UserId } from '@keywright/contract/ids';
import type { FactorRecord } from '@keywright/contract/records/factor';
import { newFactorId } from '../../../platform/crypto/ids.ts';
import type { UserCaller } from '../../../tenancy/caller.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { newRecoveryCodes, recoveryCodeHash } from '../../authentication/second-factors/index.ts';
import { type Actor, record, recordAll } from '../../events/journal/index.ts';
import { lockOneself } from '../users/index.ts';
import {
  factorChange,
  factorUpdate,
  isAuthenticator,
  isRecoveryCodes,
  presentFactor,
  type FactorRow,
  listFactors,
  putRecoveryCodes,
  updateFactorState,
} from './factor-store.ts';

const CODES_NAME = 'Recovery codes';

/** New codes, shown only once, and their stored form. */
export interface RecoveryCodeDraft {
  readonly codes: string[];
  readonly hashes: readonly Buffer[];
}

/** Issues recovery codes on request, and with the first factor of a user. */
export class RecoveryCodeService {
  readonly #gate: Gate;
  readonly #dataKeys: DataKeys;

  constructor(gate: Gate, dataKeys: DataKeys) {
    this.#gate = gate;
    this.#dataKeys = dataKeys;
  }

  /** Prepares codes before a transaction, because the data key might not be loaded yet. */
  async draft(tenantId: TenantId, userId: UserId): Promise<RecoveryCodeDraft> {
    const codes = newRecoveryCodes();
    const hashes = await this.#dataKeys.use(tenantId, (key) =>
      codes.map((code) => recoveryCodeHash(key, userId, code)),
    );
    return { codes, hashes };
  }

  /** Replaces the caller's recovery codes. */
  async renew(
    { id: tenantId }: Tenant,
    caller: UserCaller,
    fail: Fail<'TOKEN_INVALID' | 'STEP_UP_REQUIRED' | 'FACTOR_MISSING'>,
  ): Promise<{ factor: FactorRecord; recovery_codes: string[] }> {
    const { subject: userId } = caller;
    const draft = await this.draft(tenantId, userId);
    return this.#gate.into(tenantId).transaction(async (tx) => {
      await lockOneself(tx, caller, fail);
      const factors = await listFactors(tx, userId);
      if (!factors.some(isAuthenticator)) fail('FACTOR_MISSING');
      const row = await putCodes(tx, userId, draft);
      await updateFactorState(tx, userId);
      const change = factors.some(isRecoveryCodes)
        ? factorUpdate(row, ['recovery_codes'])
        : factorChange('factor.added', row);
      await record(tx, caller, change);
      return { factor: presentFactor(tenantId, row), recovery_codes: draft.codes };
    });
  }

  /**
   * Completes the enrollment of a confirmed factor. A user without recovery codes receives them now.
   * @returns `recoveryCodes`: the codes of the draft; null if the user already has codes
   */
  async completeEnrolment(
    tx: TenantTx,
    by: Actor,
    factor: FactorRow,
    draft: RecoveryCodeDraft,
  ): Promise<{ readonly authVersion: number; readonly recoveryCodes: string[] | null }> {
    const { user_id: userId } = factor;
    const hasCodes = (await listFactors(tx, userId)).some(isRecoveryCodes);
    const codes = hasCodes ? undefined : await putCodes(tx, userId, draft);
    const authVersion = await updateFactorState(tx, userId);
    const added = codes ? [factor, codes] : [factor];
    const changes = added.map((row) => factorChange('factor.added', row));
    await recordAll(tx, by, changes);
    return { authVersion, recoveryCodes: codes ? draft.codes : null };
  }
}

function putCodes(tx: TenantTx, userId: UserId, { hashes }: RecoveryCodeDraft): Promise<FactorRow> {
  return putRecoveryCodes(tx, { id: newFactorId(tx.now), userId, name: CODES_NAME }, hashes);
}
