// Made from kw_userinfo.sql by `npm run generate`.

import type { OAuthClientId, SessionId, TenantId, UserId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';
import type { JsonValue } from '../../src/platform/db/schema.ts';

export const userinfo: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly sessions: readonly SessionId[];
  readonly versions: readonly number[];
  readonly users: readonly UserId[];
  readonly clients: readonly OAuthClientId[];
}, { readonly answer: JsonValue }> = {
  name: 'kw_userinfo',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT kw_userinfo($1, $2, $3, $4, $5) AS answer',
  values: ({ tenants, sessions, versions, users, clients }) => [tenants, sessions, versions, users, clients],
};
