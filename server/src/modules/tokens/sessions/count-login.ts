import type { CountedMethod } from '@keywright/contract/activity';
import type { TenantId } from '@keywright/contract/ids';
import type { CountActivity } from '../../../tenancy/activity.ts';
import type { Draft } from './draft.ts';

/** By what a login with one of these (RFC 8176 §2) began; the first that is there counts. */
const BEGAN_WITH: readonly (readonly [amr: string, method: CountedMethod])[] = [
  ['pwd', 'password'],
  ['fed', 'provider'],
  ['email', 'message'],
  ['sms', 'message'],
  ['pop', 'passkey'],
];

/** Counts a login, the session that it began, and its tokens. */
export function countLogin(
  { count }: CountActivity,
  tenantId: TenantId,
  { permit, cookie }: Draft['session'],
): void {
  const method = BEGAN_WITH.find(([amr]) => permit.amr.includes(amr))?.[1];
  if (method) count(tenantId, `logins.${method}`);
  count(tenantId, 'sessions_begun');
  if (!cookie) count(tenantId, 'tokens_issued');
}
