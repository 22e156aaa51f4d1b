import type { OAuthClientId } from '@keywright/contract/ids';
import { noteClientUses } from '../../../../sql/oauth/kw_note_client_uses.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Use } from '../../../tenancy/uses.ts';

export async function writeUses(gate: Gate, uses: readonly Use<OAuthClientId>[]): Promise<void> {
  await gate.callMany(noteClientUses, {
    tenants: uses.map((one) => one.tenantId),
    clients: uses.map((one) => one.id),
    hours: uses.map((one) => one.at),
  });
}
