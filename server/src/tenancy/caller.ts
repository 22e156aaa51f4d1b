import type { CredentialClaims } from '@keywright/contract/claims';
import type { AgentId, ApiKeyId, OAuthClientId, SessionId, UserId } from '@keywright/contract/ids';
import type { AgentRecord } from '@keywright/contract/records/agent';

/** The origin of a request, for the audit log. */
export interface Origin {
  /** IP address of the client. */
  readonly address: string;
  readonly requestId: string;
}

interface Credential {
  /** Upper bound of the permissions. */
  readonly scopes: readonly string[];
  readonly roles: readonly string[];
  /** Whether the caller holds `system_admin` in the tenant that defines that role. */
  readonly isSystemAdministrator: boolean;
  readonly from: Origin;
  /** The claims that verify-token returns for the credential. */
  readonly claims: CredentialClaims;
}

/** A user who logged in directly. */
export interface UserCaller extends Credential {
  readonly kind: 'user';
  readonly subject: UserId;
  readonly sessionId: SessionId;
}

/** A system administrator acting inside a tenant (RFC 8693 §4.1 `act`). They are not a user of the tenant. */
interface Impersonator extends Credential {
  readonly kind: 'impersonator';
  readonly subject: UserId;
  readonly sessionId: SessionId;
}

/** An agent, by its API key or its own token. */
export interface AgentCaller extends Credential {
  readonly kind: 'agent';
  readonly subject: AgentId;
  /** The key that was presented, or that the token was issued for. */
  readonly keyId: ApiKeyId | undefined;
  /** The current agent, if authentication has read it. */
  readonly record?: AgentRecord;
}

/** An agent that acts for a user. */
export interface Delegate extends Credential {
  readonly kind: 'delegate';
  readonly subject: UserId;
  readonly agentId: AgentId;
}

/**
 * An application that a user logged in to: an OAuth client with a token for the access the user consented to. The
 * application never counts as the user.
 */
export interface AppCaller extends Credential {
  readonly kind: 'app';
  readonly subject: UserId;
  readonly clientId: OAuthClientId;
  readonly sessionId: SessionId;
}

/** The caller of a request, as identified by the credential. */
export type Caller = UserCaller | Impersonator | AgentCaller | Delegate | AppCaller;

/**
 * The claimed caller, before the credential is known to be alive. Functions that take a caller do not accept it: only
 * handlers that declare it can read with it.
 */
export interface UnconfirmedCaller {
  readonly claimed: Caller;
}

/** A component of the service, or its operator at the command line. */
export interface SystemActor {
  readonly kind: 'system';
  readonly name: string;
}

/** Whether the caller is this user in person. */
export function isOneself(caller: Caller, userId: string): boolean {
  return caller.kind === 'user' && caller.subject === userId;
}

const REPRESENTATIVES: readonly Caller['kind'][] = ['delegate', 'impersonator', 'app'];

/** Whether the caller acts for this user: a delegate, an impersonator, or an application. */
export function isInTheNameOf(caller: Caller, userId: string): boolean {
  return REPRESENTATIVES.includes(caller.kind) && caller.subject === userId;
}

/** Whether a user lent the caller its permissions and can revoke them. */
export function hasLentPermissions(caller: Caller): caller is Delegate | AppCaller {
  return caller.kind === 'delegate' || caller.kind === 'app';
}

/** A name of the caller that is unique within the tenant. */
export function nameOf(caller: Caller): string {
  if (caller.kind === 'delegate') return `${caller.agentId} for ${caller.subject}`;
  return caller.kind === 'app' ? `${caller.clientId} for ${caller.subject}` : caller.subject;
}
