// Made from kw_userinfo.sql by `npm run generate`.

import type { OAuthClientId, SessionId, TenantId, UserId } from '@keywright/contract/ids';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import type { IdentifierRecord, UserRecord } from '@keywright/contract/records/user';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const userinfo: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly sessions: readonly SessionId[];
  readonly versions: readonly number[];
  readonly users: readonly UserId[];
  readonly clients: readonly OAuthClientId[];
}, { readonly answer: ({ readonly name: string | null; readonly picture: string | null; readonly metadata: UserRecord['metadata']; readonly identifiers: readonly IdentifierRecord[]; readonly updated_at: number; readonly requested_claims: readonly string[]; readonly redirect_uris: OAuthClientRecord['redirect_uris']; readonly sector_identifier_uri: OAuthClientRecord['sector_identifier_uri']; readonly subject_type: OAuthClientRecord['subject_type']; readonly algorithm: OAuthClientRecord['userinfo_signed_response_alg'] } | null)[] }> = {
  name: 'kw_userinfo',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT kw_userinfo($1, $2, $3, $4, $5) AS answer',
  values: ({ tenants, sessions, versions, users, clients }) => [tenants, sessions, versions, users, clients],
};
