import type { Fail } from '@keywright/contract/errors';
import type { OAuthClientId } from '@keywright/contract/ids';
import { isDeepStrictEqual } from '../../../platform/builtins.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Actor, record } from '../../events/journal/index.ts';
import type { KnownClient } from './known-store.ts';
import { presentClient } from './present.ts';
import {
  hasOpenRegistrations,
  insertRegistration,
  lockRegistrations,
} from './registration-store.ts';
import type { ClientFields } from './fields.ts';
import { lockClient, replaceClient } from './store.ts';
import { keptUntil, writeClient } from './written.ts';

/** Nobody has to vouch for what a document says. */
const READER: Actor = { kind: 'system', name: 'client metadata documents' };
/** The names of the fields in which a document differs from what was read of it before. */
function changesOf(fields: ClientFields, before: Partial<ClientFields>): Partial<ClientFields> {
  const changed = Object.entries(fields).filter(
    // An administrator decides whether it gets tokens.
    ([name, value]) =>
      name !== 'is_active' && !isDeepStrictEqual(value, before[name as keyof ClientFields]),
  );
  return Object.fromEntries(changed);
}

/** Writes what the document of a known client says now, if it has changed. */
export async function updatePublished(
  gate: Gate,
  known: KnownClient,
  fields: ClientFields,
): Promise<void> {
  if (Object.keys(changesOf(fields, known)).length === 0) return;
  await gate.into(known.tenant_id).transaction(async (tx) => {
    const row = await lockClient(tx, known.id);
    if (!row) return;
    const before = presentClient(row);
    const change = changesOf(fields, before);
    if (Object.keys(change).length === 0) return;
    await replaceClient(tx, known.id, { ...fields, is_active: before.is_active });
    await record(tx, READER, {
      action: 'client.updated',
      target: { kind: 'client', id: known.id },
      details: { fields: Object.keys(change), ...change },
      events: [],
    });
  });
}

/** Writes the client at the first consent to it. Of two at once, one does. */
export async function writePublished(
  tx: TenantTx,
  by: Actor,
  { config }: Pick<Tenant, 'config'>,
  { id, fields }: { readonly id: OAuthClientId; readonly fields: ClientFields },
  fail: Fail<'TOO_MANY_CLIENTS' | 'REGISTRATION_FULL'>,
): Promise<void> {
  await lockRegistrations(tx);
  if (await lockClient(tx, id)) return;
  if (await hasOpenRegistrations(tx, config.oauth_max_registered_clients)) {
    fail('REGISTRATION_FULL');
  }
  const client = { id, fields, secret: undefined, createdBy: 'metadata_document' } as const;
  await writeClient(tx, by, client, fail);
  await insertRegistration(tx, id, { keptUntil: keptUntil(tx.now) });
}
