import type { Acr } from '@keywright/contract/authentication';
import { DIRECT_CLIENT } from '@keywright/contract/claims';
import type { SessionId, UserId, WorkspaceId } from '@keywright/contract/ids';
import { epochSeconds } from '../platform/clock.ts';
import type { Origin, UserCaller } from './caller.ts';
import type { Tenant } from './tenant.ts';

/** A user's login that the service knows without a token. */
interface KnownLogin {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly workspaceId: WorkspaceId;
  readonly authTime: Date;
  readonly acr: Acr;
  readonly expiresAt: Date;
}

/** What a user is allowed to do with their own login. */
interface Held {
  readonly scopes?: readonly string[];
  readonly roles?: readonly string[];
  /** The access version of the session's access tokens. Tokens issued to this caller depend on those. */
  readonly accessVersion?: number;
  readonly amr?: readonly string[];
  readonly isSystemAdministrator?: boolean;
}

/**
 * Returns the user in person as a caller. Without scopes, the default, they can do only what every user can do to
 * their own account.
 */
export function ownCallerOf(
  tenant: Tenant,
  login: KnownLogin,
  from: Origin,
  {
    scopes = [],
    roles = [],
    accessVersion: ver = 0,
    amr,
    isSystemAdministrator = false,
  }: Held = {},
): UserCaller {
  const { userId: subject, sessionId, authTime, acr, workspaceId } = login;
  const at = epochSeconds(authTime);
  return {
    kind: 'user',
    subject,
    sessionId,
    scopes: [...scopes],
    roles: [...roles],
    isSystemAdministrator,
    from,
    claims: {
      token_type: 'access',
      iss: tenant.issuer,
      sub: subject,
      aud: tenant.audience,
      iat: at,
      exp: epochSeconds(login.expiresAt),
      tenant_id: tenant.id,
      workspace_id: workspaceId,
      roles: [...roles],
      scopes: [...scopes],
      scope: scopes.join(' '),
      sid: sessionId,
      client_id: DIRECT_CLIENT,
      auth_time: at,
      acr,
      ...(amr && { amr: [...amr] }),
      ver,
    },
  };
}
