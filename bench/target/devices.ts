import { randomBytes } from 'node:crypto';
import { DEVICE_GRANT } from '@keywright/contract/records/client-grants';
import { sha256 } from '@keywright/server/platform/crypto/sealed';
import type { Scene } from '../rows/row.ts';
import { type Client, insertClients, OPEN_ID } from './applications.ts';

const DAY_MS = 86_400_000;

interface Devices {
  readonly client: Client;
  readonly codes: readonly string[];
}

/**
 * Inserts a client with this many devices whose users have not decided. Their interval is so short that they never
 * poll too soon.
 */
export async function insertDevices(
  { seed: { tenantId }, query }: Scene,
  count: number,
): Promise<Devices> {
  const [client] = await insertClients(query, [tenantId], 'EdDSA');
  if (!client) throw new Error('There is no client.');
  const now = new Date();
  const codes = Array.from({ length: count }, () => randomBytes(32).toString('base64url'));
  await query(
    `UPDATE oauth_clients SET grant_types = grant_types || $1::text WHERE tenant_id = $2 AND id = $3`,
    [DEVICE_GRANT, tenantId, client.id],
  );
  await query(
    `INSERT INTO device_grants (
       tenant_id, id, user_code_hash, client_id, scopes, targets, ip_address, created_at, expires_at, interval_seconds)
     SELECT $1, d.id, d.user_code, $2, $3, '{}', '127.0.0.1', $4, $5, 1
       FROM unnest($6::bytea[], $7::bytea[]) AS d (id, user_code)`,
    [
      tenantId,
      client.id,
      OPEN_ID,
      now,
      new Date(now.getTime() + DAY_MS),
      codes.map((code) => sha256(code)),
      codes.map(() => randomBytes(32)),
    ],
  );
  await query('VACUUM ANALYZE device_grants');
  return { client, codes };
}
