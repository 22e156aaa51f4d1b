import type { ApiKeyId, TenantId } from '@keywright/contract/ids';
import { statement } from '../../../platform/db/database.ts';
import type { Gate } from '../../../tenancy/gate.ts';

const noteUses = statement('kw_note_key_uses', 'SELECT kw_note_key_uses($1, $2, $3)');

/** That a key was used, in this minute. */
export interface Use {
  readonly tenantId: TenantId;
  readonly keyId: ApiKeyId;
  readonly at: Date;
}

export async function writeUses(gate: Gate, uses: readonly Use[]): Promise<void> {
  const values = [uses.map((one) => one.keyId), uses.map((one) => one.at)];
  await gate.callMany(
    noteUses,
    uses.map((one) => one.tenantId),
    values,
  );
}
