import { createHmac } from 'node:crypto';
import type { TenantId, UserId } from '@keywright/contract/ids';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import type { KeyRing } from '../../tokens/signing-keys/index.ts';
import { sectorOf } from '../clients/index.ts';

/** What decides how a client knows users. */
type TellingClient = Pick<
  OAuthClientRecord,
  'redirect_uris' | 'sector_identifier_uri' | 'subject_type'
>;

/** The subject that a client knows a user by (OpenID Connect Core §8). */
export type SubjectFor = (
  tenantId: TenantId,
  client: TellingClient,
  userId: UserId,
) => Promise<string>;

export function createSubjectFor(keys: KeyRing): SubjectFor {
  return async (tenantId, client, userId) => {
    if (client.subject_type === 'public') return userId;
    const sector = sectorOf(client);
    // Rejected at its registration: otherwise clients of different owners would have a subject in common.
    if (sector === undefined) throw new Error('A pairwise client has no sector.');
    const key = await keys.subjectKey(tenantId);
    return createHmac('sha256', key).update(`${sector}|${userId}`).digest('base64url');
  };
}
