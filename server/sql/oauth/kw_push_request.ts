// Made from kw_push_request.sql by `npm run generate`.

import type { OAuthClientId, TenantId } from '@keywright/contract/ids';
import type { BatchCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const pushRequest: Statement & BatchCall<{
  readonly tenant: TenantId;
  readonly id: Buffer;
  readonly client: OAuthClientId;
  readonly version: number;
  readonly parameters: string;
  readonly expiresAt: Date;
}, { readonly answer: boolean }> = {
  name: 'kw_push_request',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT item.n::integer AS place, kw_push_request(item.p_tenant, item.p_id, item.p_client, item.p_version, item.p_parameters, item.p_expires_at) AS answer FROM (SELECT * FROM unnest($1::text[], $2::bytea[], $3::text[], $4::integer[], $5::text[], $6::timestamp with time zone[]) WITH ORDINALITY AS item (p_tenant, p_id, p_client, p_version, p_parameters, p_expires_at, n) ORDER BY p_tenant COLLATE "C", p_id, n) AS item',
  values: (items) => [
    items.map((item) => item.tenant),
    items.map((item) => item.id),
    items.map((item) => item.client),
    items.map((item) => item.version),
    items.map((item) => item.parameters),
    items.map((item) => item.expiresAt),
  ],
};
