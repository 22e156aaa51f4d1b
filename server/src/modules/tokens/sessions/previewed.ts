import type { AccessTokenClaims } from '@keywright/contract/claims';
import type { UserId } from '@keywright/contract/ids';
import { newSessionId } from '../../../platform/crypto/ids.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { draftAccessToken, type GrantedClient } from '../access-tokens/index.ts';
import { type SessionSubject, tokenSubject } from './answer.ts';
import { resolveClaims } from './claim-rules.ts';
import { lifetimesOf } from './draft.ts';
import { findPreviewed, type PreviewedUser } from './previewed-store.ts';

/** What says how somebody logged in who did not: by a password. */
const BY_PASSWORD = { acr: 'aal1', amr: ['pwd'] } as const;

/** Whose tokens are previewed, and how. */
interface PreviewedSession {
  readonly user: PreviewedUser;
  /** Null: a direct login. */
  readonly client: GrantedClient | null;
  /** Of the key that tokens of the client are bound to. */
  readonly jkt: string | undefined;
}

export interface PreviewedClaims {
  readonly claims: AccessTokenClaims;
  readonly facts: Pick<SessionSubject, 'sessionId' | 'authentication'>;
}

/** What tokens are taken from, of somebody who need not have any. */
export function findPreviewedUser(data: TenantData, id: UserId) {
  return data.transaction((tx) => findPreviewed(tx, id));
}

/** What the first access token of a session would say, which nobody opens and nobody signs. */
export function previewAccessToken(
  tenant: Tenant,
  { user, client, jkt }: PreviewedSession,
  now: Date,
): PreviewedClaims {
  const { config } = tenant;
  const lifetimes = [config.refresh_token_ttl, config.refresh_token_absolute_ttl] as const;
  const facts = {
    sessionId: newSessionId(now),
    authentication: { auth_time: now, ...BY_PASSWORD },
  };
  const subject = {
    ...facts,
    userId: user.id,
    endsAt: lifetimesOf(lifetimes, now).sessionEndsAt,
    accessVersion: 0,
    bit: 0,
    customClaims: resolveClaims(config.custom_claims, user),
    client,
    jkt,
    row: user,
  };
  return { claims: draftAccessToken(tenant, tokenSubject(subject, ''), now), facts };
}
