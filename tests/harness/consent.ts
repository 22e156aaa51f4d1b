// Consents of users to applications. Most tests do not cover the page on which users grant them.

import { parseOAuthClientId, parseUserId } from '@keywright/contract/ids';
import { newConsentId } from '@keywright/server/platform/crypto/ids';
import type { Keywright } from './keywright.ts';

export interface AllowedScopes {
  readonly userId: string;
  readonly clientId: string;
  readonly scopes?: readonly string[];
}

/** @returns its id */
export async function consent(
  { database }: Keywright,
  tenantId: string,
  { userId, clientId, scopes = ['openid'] }: AllowedScopes,
): Promise<string> {
  const id = newConsentId(new Date());
  await database.query(
    `INSERT INTO consents (tenant_id, id, user_id, client_id, scopes, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, now(), now())`,
    [tenantId, id, parseUserId(userId), parseOAuthClientId(clientId), scopes],
  );
  return id;
}
