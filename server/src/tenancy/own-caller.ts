import type { Acr } from '@keywright/contract/authentication';
import { DIRECT_CLIENT } from '@keywright/contract/claims';
import type { SessionId, UserId, WorkspaceId } from '@keywright/contract/ids';
import { epochSeconds } from '../platform/clock.ts';
import type { Origin, UserCaller } from './caller.ts';
import type { Tenant } from './tenant.ts';

/** A login of a user that the service knows of without a token. */
interface KnownLogin {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly workspaceId: WorkspaceId;
  readonly authTime: Date;
  readonly acr: Acr;
  readonly expiresAt: Date;
}

/** What a user may do, by their own login. */
interface Held {
  readonly scopes?: readonly string[];
  readonly roles?: readonly string[];
  /** Of access tokens of the session, which those depend on that are issued to this caller. */
  readonly accessVersion?: number;
  readonly amr?: readonly string[];
  readonly isSystemAdministrator?: boolean;
}

/**
 * The user in person. Without scopes, as by default, they may do only what every user may do to their own account.
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
