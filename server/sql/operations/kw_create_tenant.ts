// Made from kw_create_tenant.sql by `npm run generate`.

import type { TenantId } from '@keywright/contract/ids';
import type { SystemCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const createTenant: Statement & SystemCall<{
  readonly tenant: TenantId;
  readonly name: string;
  readonly settings: string;
  readonly wrappedKey: Buffer;
  readonly masterKeyId: string;
  readonly kid: string;
  readonly publicKey: string;
  readonly privateKey: Buffer;
  readonly roles: string;
  readonly domains: readonly string[];
  readonly now: Date;
  readonly entries: string;
}, { readonly answer: string | null }> = {
  name: 'kw_create_tenant',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT kw_create_tenant($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) AS answer',
  values: (work, { tenant, name, settings, wrappedKey, masterKeyId, kid, publicKey, privateKey, roles, domains, now, entries }) => [work, tenant, name, settings, wrappedKey, masterKeyId, kid, publicKey, privateKey, roles, domains, now, entries],
};
