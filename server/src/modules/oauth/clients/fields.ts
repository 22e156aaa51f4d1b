import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';

/** What a client has, apart from its id and its secrets. */
export type ClientFields = Omit<
  OAuthClientRecord,
  'id' | 'tenant_id' | 'created_by' | 'secrets' | 'created_at' | 'last_used_at'
>;
