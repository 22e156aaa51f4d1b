// Made from kw_claim_messages.sql by `npm run generate`.

import type { MessageId, TenantId } from '@keywright/contract/ids';
import type { MessageKind } from '@keywright/contract/messages';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface ClaimMessagesRow {
  readonly tenant_id: TenantId;
  readonly id: MessageId;
  readonly queue_key: string;
  readonly attempts: number;
  readonly takes: number;
  readonly expires_at: Date;
  readonly kind: MessageKind;
  readonly channel: 'email' | 'sms';
  readonly locale: string | null;
  readonly user_locale: string | null;
  readonly destination: Buffer;
  readonly masked_destination: string;
  readonly challenge_id: string | null;
  readonly vars: Record<string, string>;
  readonly to_page: boolean;
  readonly through: Buffer | null;
  readonly created_at: Date;
}

export const claimMessages: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly queueKeys: readonly string[];
  readonly limits: readonly number[];
  readonly now: Date;
  readonly until: Date;
}, ClaimMessagesRow> = {
  name: 'kw_claim_messages',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT * FROM kw_claim_messages($1, $2, $3, $4, $5)',
  values: ({ tenants, queueKeys, limits, now, until }) => [tenants, queueKeys, limits, now, until],
};
