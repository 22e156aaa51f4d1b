import type { Fail } from '@keywright/contract/errors';
import type { OAuthClientId } from '@keywright/contract/ids';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { type Actor, record, sessionRevoked } from '../../events/journal/index.ts';
import { endSessionsOfClient } from '../../tokens/sessions/index.ts';
import type { ClientFields } from './fields.ts';
import type { NewSecret } from './secret.ts';
import {
  type ClientRow,
  deleteClientRow,
  findClient,
  hasClients,
  insertClient,
  insertSecret,
} from './store.ts';

const MOST_CLIENTS = 20_000;
/** How long a client that no one vouches for is retained without a consent. */
export const KEPT_MS = 30 * 86_400_000;

export function keptUntil(now: Date): Date {
  return new Date(now.getTime() + KEPT_MS);
}

interface NewClient {
  readonly id: OAuthClientId;
  readonly fields: ClientFields;
  readonly secret: NewSecret | undefined;
  readonly createdBy: OAuthClientRecord['created_by'];
  /** For the audit log. */
  readonly details?: Readonly<Record<string, string>>;
}

/** Writes a client, whoever registers it. */
export async function writeClient(
  tx: TenantTx,
  by: Actor,
  { id, fields, secret, createdBy, details }: NewClient,
  fail: Fail<'TOO_MANY_CLIENTS'>,
): Promise<ClientRow> {
  if (await hasClients(tx, MOST_CLIENTS)) fail('TOO_MANY_CLIENTS');
  await insertClient(tx, id, fields, createdBy);
  if (secret) await insertSecret(tx, id, secret);
  const { name, kind, first_party, in_app_login, redirect_uris, scopes } = fields;
  const inApp = in_app_login ? { in_app_login } : {};
  const shown = { name, kind, first_party, ...inApp, redirect_uris, scopes };
  await record(tx, by, {
    action: 'client.created',
    target: { kind: 'client', id },
    details: { ...shown, created_by: createdBy, ...details },
    events: [],
  });
  const row = await findClient(tx, id);
  if (!row) throw new Error(`The client ${id} was not written.`);
  return row;
}

/** Deletes a client, and ends its sessions. It is locked. */
export async function endClient(
  tx: TenantTx,
  by: Actor,
  { id, name }: Pick<ClientRow, 'id' | 'name'>,
): Promise<void> {
  await deleteClientRow(tx, id);
  // Last: a code that was being redeemed held a consent, which the deletion has waited for.
  const ended = await endSessionsOfClient(tx, id, 'client_deleted');
  await record(tx, by, {
    action: 'client.deleted',
    target: { kind: 'client', id },
    details: { name, sessions: ended.length },
    events: ended.map((session) => sessionRevoked(session, 'client_deleted')),
  });
}
