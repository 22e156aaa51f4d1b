// Made from kw_create_tenant.sql by `npm run generate`.

import type { TenantCall } from '../../src/platform/db/calls.ts';

export const createTenant: TenantCall<{
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
}, { readonly answer: 'created' | 'slug_taken' | 'domain_taken' }> = {
  text: 'SELECT kw_create_tenant($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) AS answer',
  values: (tenant, { name, settings, wrappedKey, masterKeyId, kid, publicKey, privateKey, roles, domains, now, entries }) => [tenant, name, settings, wrappedKey, masterKeyId, kid, publicKey, privateKey, roles, domains, now, entries],
};
