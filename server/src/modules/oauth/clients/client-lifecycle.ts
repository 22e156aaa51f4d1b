import type { Fail } from '@keywright/contract/errors';
import type { OAuthClientId, ClientSecretId } from '@keywright/contract/ids';
import {
  type OAuthClientRecord,
  CLIENT_SECRET_PREFIX,
} from '@keywright/contract/records/oauth-client';
import { checkedSecrets } from '../../../platform/crypto/checked-secrets.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import { newClientSecretId } from '../../../platform/crypto/ids.ts';
import { type TenantTx, asTenant } from '../../../tenancy/gate.ts';
import type { Sweep } from '../../../tenancy/sweep-store.ts';
import { type Actor, record, sessionRevoked } from '../../events/journal/index.ts';
import { endSessionsOfClient } from '../../tokens/sessions/index.ts';
import type { ClientFields } from './client-rules.ts';
import {
  type ClientRow,
  deleteClientRow,
  findClient,
  findDue,
  hasClients,
  insertClient,
  insertSecret,
  lockClient,
  postpone,
} from './client-store.ts';

export const MOST_CLIENTS = 20_000;
/** How long a client that no administrator registered is retained without a consent. */
export const UNUSED_MS = 30 * 86_400_000;

/** When a client that registers now is deleted if it gets no consent. */
export function unusedUntil(now: Date): Date {
  return new Date(now.getTime() + UNUSED_MS);
}

interface NewClient {
  readonly id: OAuthClientId;
  readonly fields: ClientFields;
  readonly secret: NewSecret | undefined;
  readonly createdBy: OAuthClientRecord['created_by'];
  /** For the audit log. */
  readonly details?: Readonly<Record<string, string>>;
}

/** Inserts a client, and records its creation. */
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

/** Deletes a locked client, and ends its sessions. */
export async function endClient(
  tx: TenantTx,
  by: Actor,
  { id, name }: Pick<ClientRow, 'id' | 'name'>,
): Promise<void> {
  await deleteClientRow(tx, id);
  // Runs after the deletion, which waits for codes being redeemed, because these lock a consent.
  const ended = await endSessionsOfClient(tx, id, 'client_deleted');
  await record(tx, by, {
    action: 'client.deleted',
    target: { kind: 'client', id },
    details: { name, sessions: ended.length },
    events: ended.map((session) => sessionRevoked(session, 'client_deleted')),
  });
}

const SECRETS = checkedSecrets(CLIENT_SECRET_PREFIX);

interface NewSecret {
  readonly id: ClientSecretId;
  /** A client ID consists of `kwc_`, random base62 characters and six check characters. */
  readonly text: string;
  readonly hash: Buffer;
}

export function newSecret(now: Date): NewSecret {
  const text = SECRETS.mint();
  return { id: newClientSecretId(now), text, hash: sha256(text) };
}

const SWEEPER: Actor = { kind: 'system', name: 'housekeeping' };

/** Deletes clients that no administrator registered and that have had no consent for a month. */
export const unusedClientsSweep: Sweep = {
  table: 'client_registrations',
  async deleteBatch(tx, now) {
    const due = await findDue(tx, now, new Date(now.getTime() - UNUSED_MS));
    const used = due.filter((registration) => registration.is_used);
    await postpone(tx, used, unusedUntil(now));
    for (const registration of due.filter(({ is_used: isUsed }) => !isUsed)) {
      await asTenant(tx, registration.tenant_id, async (tenant) => {
        const client = await lockClient(tenant, registration.client_id);
        if (client) await endClient(tenant, SWEEPER, client);
      });
    }
    return due.length;
  },
};
