import { DIRECT_CLIENT } from '@keywright/contract/claims';
import { isOpenIdScope } from '@keywright/contract/records/oauth-client';
import { intersectScopes, isCommonPermission } from '@keywright/contract/scopes';
import type { SessionId, UserId } from '@keywright/contract/ids';
import type { AuthorizationDetail } from '@keywright/contract/records/authorization-details';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import type { SigningKey } from '../../../platform/crypto/jws.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import {
  type GrantedClient,
  mintAccessToken,
  mintResourceToken,
  type TokenSubject,
  type TokenTarget,
} from '../access-tokens/index.ts';
import type { SignJwt } from '../signing-keys/index.ts';
import type { TokenBits } from '../status-lists/index.ts';
import { epochSeconds } from '../../../platform/clock.ts';
import type { AuthenticationRow, SubjectRow } from './store.ts';

/** A resource that an access token of a client is for. */
export interface SessionTarget extends TokenTarget {
  /** What of the granted scopes its token may have for a user who holds these permissions. */
  scopesFor(granted: readonly string[], held: readonly string[]): readonly string[];
  /** What of this its token may have, allowed in particular. */
  detailsFor(granted: readonly AuthorizationDetail[]): readonly AuthorizationDetail[];
}

export interface SessionSubject {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly endsAt: Date;
  readonly accessVersion: number;
  readonly bit: number;
  readonly customClaims: Record<string, unknown>;
  /** Null: a direct login. */
  readonly client: GrantedClient | null;
  /** Undefined: the tenant itself. */
  readonly target?: SessionTarget | undefined;
  /** Of the key that the access token is bound to. */
  readonly jkt?: string | undefined;
  readonly authentication: AuthenticationRow;
  /** The same tokens can be minted again. */
  readonly isRepeatable?: boolean;
  readonly row: SubjectRow;
}

/** The answer to a login and a refresh: a new access token with the given refresh token. */
export function tokenAnswer(
  key: SigningKey,
  tenant: Tenant,
  subject: SessionSubject,
  refreshToken: string,
  now: Date,
): TokenAnswer {
  const access = mintAccessToken(key, tenant, tokenSubject(subject, refreshToken), now);
  return answerOf(tenant, subject, access, refreshToken);
}

/** Of an access token. */
export interface GrantedScope {
  readonly scope: readonly string[];
  /** What is allowed in particular; undefined: nothing. */
  readonly details?: readonly AuthorizationDetail[];
}

/** The answer of a client, whose access token may be for a resource. `scope`: that of the access token. */
export async function clientAnswer(
  { key, signJwt }: { readonly key: SigningKey; readonly signJwt: SignJwt },
  tenant: Tenant,
  subject: SessionSubject,
  refreshToken: string,
  now: Date,
): Promise<TokenAnswer & GrantedScope> {
  const { target } = subject;
  const minted = tokenSubject(subject, refreshToken);
  const access = target
    ? await mintResourceToken(signJwt, tenant, target, minted, now)
    : mintAccessToken(key, tenant, minted, now);
  const answer = answerOf(tenant, subject, access, refreshToken);
  const scope = [...(minted.openIdScopes ?? []), ...minted.scopes];
  return { ...answer, scope, ...(minted.details && { details: minted.details }) };
}

function answerOf(
  { id: tenantId }: Tenant,
  { userId, row }: SessionSubject,
  access: { readonly token: string; readonly expiresIn: number },
  refreshToken: string,
): TokenAnswer {
  return {
    access_token: access.token,
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: access.expiresIn,
    user: { id: userId, tenant_id: tenantId, identifiers: row.identifiers },
  };
}

/** What decides what an access token says. */
export function tokenSubject(subject: SessionSubject, refreshToken: string): TokenSubject {
  const { client, authentication, row, isRepeatable = false } = subject;
  return {
    sub: subject.userId,
    workspaceId: row.workspace_id,
    ...permissionsOf(client, row, subject.target),
    grant: {
      sid: subject.sessionId,
      client_id: client?.id ?? DIRECT_CLIENT,
      ver: subject.accessVersion,
    },
    authentication: {
      auth_time: epochSeconds(authentication.auth_time),
      acr: authentication.acr,
      amr: [...authentication.amr],
    },
    grantEndsAt: subject.endsAt,
    bit: subject.bit,
    customClaims: subject.customClaims,
    jkt: subject.jkt,
    ...detailsOf(subject),
    ...(isRepeatable && { seed: refreshToken }),
  };
}

/** The tenant itself has no types of them. */
function detailsOf({ client, target }: SessionSubject): Pick<TokenSubject, 'details'> {
  const details = target?.detailsFor(client?.details ?? []) ?? [];
  return details.length > 0 ? { details } : {};
}

/**
 * An application has of the permissions of its user what was granted to it, and no roles. A token for a resource is none
 * for the userinfo endpoint.
 */
function permissionsOf(
  client: GrantedClient | null,
  { roles, scopes }: SubjectRow,
  target: SessionTarget | undefined,
) {
  if (!client) return { roles, scopes };
  const openIdScopes = client.scopes.filter(isOpenIdScope);
  if (target) {
    return {
      roles: [],
      scopes: target.scopesFor(client.scopes, scopes),
      openIdScopes: openIdScopes.filter((scope) => scope !== 'openid'),
    };
  }
  return {
    roles: [],
    scopes: intersectScopes(client.scopes.filter(isCommonPermission), scopes),
    openIdScopes,
  };
}

/** The bit of a session; a new one when its user's permissions have changed. */
export async function bitOf(
  bits: TokenBits,
  { id: tenantId }: Tenant,
  { id, endsAt }: { readonly id: SessionId; readonly endsAt: Date },
  row: { readonly status_idx: string | null; readonly access_version: number },
): Promise<number> {
  const { status_idx: bit, access_version: version } = row;
  return bit === null ? bits.of(tenantId, [{ tenantId, id, version }], endsAt) : Number(bit);
}
