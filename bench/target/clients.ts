import type { TenantId } from '@keywright/contract/ids';
import { newOAuthClientId } from '@keywright/server/platform/crypto/ids';
import { CALLBACK, OPEN_ID } from './applications.ts';
import type { BenchDatabase } from './database.ts';

/** Self-registered public clients that are never used. */
export async function loadClients(
  database: Pick<BenchDatabase, 'query'>,
  tenantId: TenantId,
  count: number,
): Promise<void> {
  const now = new Date();
  const ids = Array.from({ length: count }, () => newOAuthClientId(now));
  await database.query(
    `INSERT INTO oauth_clients (
       tenant_id, id, name, kind, first_party, token_endpoint_auth_method, redirect_uris, post_logout_redirect_uris,
       grant_types, scopes, id_token_signed_response_alg, created_by, created_at)
     SELECT $1, id, 'Registered', 'native', false, 'none', $2, '{}', $3, $4, 'RS256', 'registration', $5
       FROM unnest($6::text[]) AS id`,
    [tenantId, [CALLBACK], ['authorization_code', 'refresh_token'], OPEN_ID, now, ids],
  );
  await database.query('VACUUM ANALYZE oauth_clients');
}
