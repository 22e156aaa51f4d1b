import type {
  IdentityProviderId,
  OAuthClientId,
  SessionId,
  UserId,
  WorkspaceId,
} from '@keywright/contract/ids';
import { sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { lockActiveUser, lockRolesOf } from '../../identity/users/index.ts';
import type { AuthenticationRow, SubjectRow } from './session-store.ts';

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
  readonly refreshKid: string;
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
      refresh_kid: session.refreshKid,
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
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly user_metadata: Readonly<Record<string, unknown>>;
  /** In seconds. */
  readonly updated_at: number;
}

/** Returns the user's data that a new session would contain. */
export async function findPreviewed(tx: TenantTx, id: UserId): Promise<PreviewedUser | undefined> {
  const { rows } = await sql<PreviewedUser>`
    SELECT u.id, may.roles, may.scopes, u.metadata, u.user_metadata,
           kw_login_workspace(u.tenant_id, u.id, NULL) AS workspace_id,
           floor(extract(epoch FROM coalesce(u.updated_at, u.created_at)))::float8 AS updated_at,
           (SELECT coalesce(json_agg(json_build_object(
                     'type', i.type, 'identifier', i.identifier, 'verified', i.verified) ORDER BY i.position), '[]')
              FROM user_identifiers i WHERE i.tenant_id = u.tenant_id AND i.user_id = u.id) AS identifiers
      FROM users u CROSS JOIN LATERAL kw_permissions_of(u.tenant_id, u.id) AS may
     WHERE u.tenant_id = ${tx.tenantId} AND u.id = ${id}`.execute(tx.db);
  return rows[0];
}
