import type { UserId } from '@keywright/contract/ids';
import { noteLogins } from '../../../../sql/identity/kw_note_logins.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Use } from '../../../tenancy/uses.ts';

export async function writeLogins(gate: Gate, logins: readonly Use<UserId>[]): Promise<void> {
  await gate.callMany(noteLogins, {
    tenants: logins.map((one) => one.tenantId),
    users: logins.map((one) => one.id),
    minutes: logins.map((one) => one.at),
  });
}
