import type { ApiKeyId } from '@keywright/contract/ids';
import { noteKeyUses } from '../../../../sql/machines/kw_note_key_uses.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Use } from '../../../tenancy/uses.ts';

export async function writeUses(gate: Gate, uses: readonly Use<ApiKeyId>[]): Promise<void> {
  await gate.callMany(noteKeyUses, {
    tenants: uses.map((one) => one.tenantId),
    keys: uses.map((one) => one.id),
    minutes: uses.map((one) => one.at),
  });
}
