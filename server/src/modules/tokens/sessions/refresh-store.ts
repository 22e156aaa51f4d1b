import type {
  IdentityProviderId,
  OAuthClientId,
  SessionId,
  UserId,
  WorkspaceId,
} from '@keywright/contract/ids';
import { sql } from 'kysely';
import {
  type FindIssuedTokensRow,
  findIssuedTokens,
} from '../../../../sql/tokens/kw_find_issued_tokens.ts';
import { type FindRefreshedRow, findRefreshed } from '../../../../sql/tokens/kw_find_refreshed.ts';
import { lacksEnrolledFactor as lacks } from '../../../../sql/tokens/kw_lacks_enrolled_factor.ts';
import { callAs } from '../../../platform/db/calls.ts';
import { from, type TenantData, type TenantTx, update } from '../../../tenancy/gate.ts';
import type { Permit } from '../../authentication/proofs/index.ts';
import { lockActiveUser, lockRolesOf, restsOnProvider } from '../../identity/users/index.ts';
import type { AuthenticationRow, SubjectRow } from './session-store.ts';

/** The session that a refresh token would be accepted for. */
export async function findRefreshedSession(
  data: TenantData,
  token: {
    readonly session: SessionId;
    readonly presented: Buffer;
    readonly retrySeconds: number;
    readonly now: Date;
  },
): Promise<FindRefreshedRow | undefined> {
  const [row] = await data.call(findRefreshed, token);
  return row;
}

/** Returns the values that a session's last tokens were minted with; undefined if the session has ended. */
export async function findIssued(
  data: TenantData,
  session: SessionId,
  now: Date,
): Promise<FindIssuedTokensRow | undefined> {
  const [row] = await data.call(findIssuedTokens, { session, now });
  return row;
}

/**
 * Locks the user and the session of a permit.
 * @returns undefined if either has ended or changed, or if the permit lacks the user's own factor
 */
export async function lockForStepUp(
  tx: TenantTx,
  id: SessionId,
  { userId, authVersion, acr, amr }: Permit,
): Promise<{ readonly endsAt: Date } | undefined> {
  const user = await lockActiveUser(tx, userId, { mode: 'share', authVersion });
  if (!user) return undefined;
  if (restsOnProvider({ acr, amr })) {
    const [row] = await callAs(tx, lacks, { user: userId, acr, amr: [...amr] });
    if (row?.answer === true) return undefined;
  }
  return from(tx, 'sessions')
    .select('absolute_expires_at as endsAt')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('kind', '=', 'api')
    .where('is_active', '=', true)
    .where('expires_at', '>', tx.now)
    .forUpdate()
    .executeTakeFirst();
}

/** Updates the authentication and the refresh token of a locked session. */
export async function raiseSession(
  tx: TenantTx,
  id: SessionId,
  { authTime, acr, amr, provider }: Permit,
  token: { readonly hash: Buffer; readonly kid: string; readonly expiresAt: Date },
): Promise<void> {
  await update(tx, 'sessions')
    .set({
      auth_time: authTime,
      acr,
      amr: [...amr],
      provider_id: provider ?? null,
      refresh_hash: token.hash,
      previous_refresh_hash: null,
      refresh_kid: token.kid,
      expires_at: token.expiresAt,
      refresh_issued_at: tx.now,
      generation: sql`generation + 1`,
    })
    .where('id', '=', id)
    .execute();
}

/** The recorded refresh tokens of a session of this client, or of a direct login. */
export function findHistory(tx: TenantTx, id: SessionId, clientId: OAuthClientId | null) {
  return from(tx, 'sessions')
    .select([
      'user_id',
      'created_at',
      'absolute_expires_at',
      'refresh_issued_at',
      'previous_refresh_hash',
      'refresh_hash',
    ])
    .where('id', '=', id)
    .where('kind', '=', clientId === null ? 'api' : 'client')
    .where('client_id', clientId === null ? 'is' : '=', clientId)
    .executeTakeFirst();
}

/** Whether the refresh token with this hash continues a session, whose parent, if any, must also be alive. */
export async function continuesWith(
  tx: TenantTx,
  id: SessionId,
  { hash, now }: { readonly hash: Buffer; readonly now: Date },
): Promise<boolean> {
  const row = await from(tx, 'sessions as s')
    .select('s.id')
    .where('s.id', '=', id)
    .where('s.is_active', '=', true)
    .where('s.expires_at', '>', now)
    .where('s.refresh_hash', '=', hash)
    .where((eb) =>
      eb.or([
        eb('s.parent_id', 'is', null),
        eb.exists(
          eb
            .selectFrom('sessions as p')
            .select('p.id')
            .whereRef('p.tenant_id', '=', 's.tenant_id')
            .whereRef('p.id', '=', 's.parent_id')
            .where('p.is_active', '=', true)
            .where('p.expires_at', '>', now),
        ),
      ]),
    )
    .executeTakeFirst();
  return row !== undefined;
}

export type HistoryRow = NonNullable<Awaited<ReturnType<typeof findHistory>>>;

/** A user for whom a session is opened. */
export interface SessionUser {
  /** Whether the user has enrolled a second factor. */
  readonly hasSecondFactor: boolean;
  readonly scopes: readonly string[];
  /** The workspace that the user's logins open. */
  readonly workspaceId: WorkspaceId;
}

/**
 * Locks an active user and their permissions until the commit, so that a transaction that ends or changes any of them
 * waits, and then finds the session. Locked in the order of sql/README.md: before consents.
 */
export async function lockSessionUser(
  tx: TenantTx,
  userId: UserId,
): Promise<SessionUser | undefined> {
  const user = await lockActiveUser(tx, userId, { mode: 'share' });
  if (!user) return undefined;
  await lockRolesOf(tx, userId);
  const { rows } = await sql<Omit<SessionUser, 'hasSecondFactor'>>`
    SELECT may.scopes, kw_login_workspace(${tx.tenantId}, ${userId}, NULL) AS "workspaceId"
      FROM kw_permissions_of(${tx.tenantId}, ${userId}) AS may`.execute(tx.db);
  return rows[0] && { ...rows[0], hasSecondFactor: user.has_second_factor };
}

interface NewAssertedSession {
  readonly id: SessionId;
  readonly userId: UserId;
  readonly workspaceId: WorkspaceId;
  readonly clientId: OAuthClientId;
  readonly scopes: readonly string[];
  readonly authentication: AuthenticationRow;
  readonly providerId: IdentityProviderId;
  readonly address: string;
  /** The hash of a secret that no one has, so the session cannot be refreshed. */
  readonly secretHash: Buffer;
  readonly endsAt: Date;
}

/** Inserts a session of an application that does not depend on a browser login. */
export async function insertAssertedSession(
  tx: TenantTx,
  session: NewAssertedSession,
): Promise<void> {
  await tx.db
    .insertInto('sessions')
    .values({
      tenant_id: tx.tenantId,
      id: session.id,
      user_id: session.userId,
      workspace_id: session.workspaceId,
      kind: 'client',
      client_id: session.clientId,
      scopes: [...session.scopes],
      auth_time: session.authentication.auth_time,
      acr: session.authentication.acr,
      amr: [...session.authentication.amr],
      provider_id: session.providerId,
      ip_address: session.address,
      created_at: tx.now,
      expires_at: session.endsAt,
      absolute_expires_at: session.endsAt,
      refresh_hash: session.secretHash,
      refresh_issued_at: tx.now,
    })
    .execute();
}

/** Returns a live session of an application, with the data that identity assertions contain. */
export async function findAssertableSession(tx: TenantTx, id: SessionId, clientId: OAuthClientId) {
  const { rows } = await sql<{
    readonly user_id: UserId;
    readonly scopes: string[];
    readonly auth_time: Date;
    readonly acr: AuthenticationRow['acr'];
    readonly amr: string[];
    readonly expires_at: Date;
    /** The user's first email address, if it is verified. */
    readonly email: string | null;
  }>`
    SELECT s.user_id, s.scopes, s.auth_time, s.acr, s.amr, s.expires_at,
           (SELECT CASE WHEN first.verified THEN first.identifier END
              FROM (SELECT i.identifier, i.verified FROM user_identifiers i
                     WHERE i.tenant_id = ${tx.tenantId} AND i.user_id = s.user_id AND i.type = 'email'
                     ORDER BY i.position LIMIT 1) AS first) AS email
      FROM sessions s
     WHERE s.tenant_id = ${tx.tenantId} AND s.id = ${id} AND s.kind = 'client' AND s.client_id = ${clientId}
       AND s.is_active AND s.expires_at > ${tx.now}`.execute(tx.db);
  return rows[0];
}

/** All data of a user that tokens contain. */
export interface PreviewedUser extends SubjectRow {
  readonly id: UserId;
  readonly name: string | null;
  readonly picture: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly user_metadata: Readonly<Record<string, unknown>>;
  /** In seconds. */
  readonly updated_at: number;
}

/** Returns the user's data that a new session would contain. */
export async function findPreviewed(tx: TenantTx, id: UserId): Promise<PreviewedUser | undefined> {
  const { rows } = await sql<PreviewedUser>`
    SELECT u.id, u.name, u.picture, may.roles, may.scopes, u.metadata, u.user_metadata,
           kw_login_workspace(u.tenant_id, u.id, NULL) AS workspace_id,
           floor(extract(epoch FROM coalesce(u.updated_at, u.created_at)))::float8 AS updated_at,
           (SELECT coalesce(json_agg(json_build_object(
                     'type', i.type, 'identifier', i.identifier, 'verified', i.verified) ORDER BY i.position), '[]')
              FROM user_identifiers i WHERE i.tenant_id = u.tenant_id AND i.user_id = u.id) AS identifiers
      FROM users u CROSS JOIN LATERAL kw_permissions_of(u.tenant_id, u.id) AS may
     WHERE u.tenant_id = ${tx.tenantId} AND u.id = ${id}`.execute(tx.db);
  return rows[0];
}
