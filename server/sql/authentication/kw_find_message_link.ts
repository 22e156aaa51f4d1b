// Made from kw_find_message_link.sql by `npm run generate`.

import type { LoginFlowId, UserId, WorkspaceId } from '@keywright/contract/ids';
import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface FindMessageLinkRow {
  readonly kind: 'login' | 'verification' | 'recovery' | 'second_factor_sms' | 'second_factor_email';
  readonly guesses: number;
  readonly user_id: UserId | null;
  readonly auth_version: number | null;
  readonly flow_id: LoginFlowId;
  readonly purpose: 'login' | 'recovery' | 'step_up' | 'invitation' | 'linking';
  readonly identifier: string;
  readonly workspace_id: WorkspaceId | null;
  readonly registers: boolean;
  readonly locale: string | null;
  readonly user_agent: string | null;
  readonly created_at: Date;
}

export const findMessageLink: Statement & TenantCall<{
  readonly challenge: string;
  readonly now: Date;
}, FindMessageLinkRow> = {
  name: 'kw_find_message_link',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT * FROM kw_find_message_link($1, $2, $3)',
  values: (tenant, { challenge, now }) => [tenant, challenge, now],
};
