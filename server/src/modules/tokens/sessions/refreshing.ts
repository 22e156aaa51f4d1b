import type { Fail } from '@keywright/contract/errors';
import type { OAuthClientId, UserId } from '@keywright/contract/ids';
import type { AuthorizationDetail } from '@keywright/contract/records/authorization-details';
import type { Tenant } from '../../../tenancy/tenant.ts';
import {
  type GrantedClient,
  type PresentedRefreshToken,
  readRefreshToken,
} from '../access-tokens/index.ts';
import type { TokenBits } from '../status-lists/index.ts';
import { bitOf } from './answer.ts';
import { resolveClaims } from './claim-rules.ts';
import type { AuthenticationRow, SubjectRow } from './store.ts';

/** A refresh token, with who presents it. */
interface Presentation {
  readonly token: string;
  /** Null: a direct login. */
  readonly client: { readonly id: OAuthClientId; readonly isConfidential: boolean } | null;
  /** Of the key that was proven. */
  readonly jkt?: string | undefined;
}

/** What a token says that this client may present with this key, not verified. */
export function readPresented(
  tenant: Tenant,
  use: Presentation,
  now: Date,
  fail: Fail<'TOKEN_INVALID' | 'TENANT_MISMATCH'>,
): PresentedRefreshToken {
  const presented = readRefreshToken(use.token) ?? fail('TOKEN_INVALID');
  if (presented.tenantId !== tenant.id) return fail('TENANT_MISMATCH');
  const { client, sessionEndsAt } = presented;
  // Another client's token, or one of another key, has no effect on its owner.
  if (client?.id !== use.client?.id) return fail('TOKEN_INVALID');
  // The hash of the whole token proves which key it says that it is bound to.
  if (!use.client?.isConfidential && client?.jkt !== undefined && client.jkt !== use.jkt) {
    return fail('TOKEN_INVALID');
  }
  return sessionEndsAt <= now ? fail('TOKEN_INVALID') : presented;
}

/** What tokens say of a session which is alive. */
type LivingRow = SubjectRow &
  AuthenticationRow &
  Parameters<typeof bitOf>[3] & {
    readonly user_id: UserId;
    readonly metadata: Parameters<typeof resolveClaims>[1] | null;
  };

export async function subjectOf(
  { bits }: { readonly bits: TokenBits },
  tenant: Tenant,
  { sessionId: id, sessionEndsAt: endsAt }: PresentedRefreshToken,
  row: LivingRow,
) {
  const { user_id: userId, access_version: accessVersion } = row;
  const bit = await bitOf(bits, tenant, { id, endsAt }, row);
  const customClaims = resolveClaims(tenant.config.custom_claims, row.metadata ?? undefined);
  return {
    userId,
    sessionId: id,
    endsAt,
    accessVersion,
    bit,
    customClaims,
    authentication: row,
    row,
  };
}

/** What one access token is narrowed to, within what was granted. */
export interface Narrowing {
  readonly narrowedTo?: readonly string[] | undefined;
  /** Of what is allowed in particular (RFC 9396 §6). */
  readonly detailsNow?: readonly AuthorizationDetail[] | undefined;
}

/** RFC 6749 §6: one access token; the next refresh may ask for everything again. */
export function narrowed(
  client: GrantedClient | null,
  { narrowedTo: scopes, detailsNow: details }: Narrowing,
): GrantedClient | null {
  return client && { ...client, ...(scopes && { scopes }), ...(details && { details }) };
}
