import type { ApiKeyId, TenantId } from '@keywright/contract/ids';
import { noteKeyUses } from '../../../../sql/machines/kw_note_key_uses.ts';
import type { Gate } from '../../../tenancy/gate.ts';

/** That a key was used, in this minute. */
export interface Use {
  readonly tenantId: TenantId;
  readonly keyId: ApiKeyId;
  readonly at: Date;
}

export async function writeUses(gate: Gate, uses: readonly Use[]): Promise<void> {
  await gate.callMany(noteKeyUses, {
    tenants: uses.map((one) => one.tenantId),
    keys: uses.map((one) => one.keyId),
    minutes: uses.map((one) => one.at),
  });
}
