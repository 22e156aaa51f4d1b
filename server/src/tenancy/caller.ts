import type { CredentialClaims } from '@keywright/contract/claims';
import type { AgentId, ApiKeyId, SessionId, UserId } from '@keywright/contract/ids';
import type { AgentRecord } from '@keywright/contract/records/agent';

/** Where a request came from, for the record of what it changes. */
export interface Origin {
  /** IP address of the client. */
  readonly address: string;
  /** Whether others come from it as well, behind a proxy that is not trusted: nobody is locked out by it. */
  readonly isShared?: boolean;
  readonly requestId: string;
}

interface Credential {
  /** What they may do, at most. */
  readonly scopes: readonly string[];
  readonly roles: readonly string[];
  /** Holds `system_admin`, in the tenant where that role is. */
  readonly isSystemAdministrator: boolean;
  readonly from: Origin;
  /** What verify-token answers for the credential. */
  readonly claims: CredentialClaims;
}

/** A user, by their own login. */
export interface UserCaller extends Credential {
  readonly kind: 'user';
  readonly subject: UserId;
  readonly sessionId: SessionId;
}

/** A system administrator acting inside a tenant (RFC 8693 §4.1 `act`), who is no user of it. */
interface Impersonator extends Credential {
  readonly kind: 'impersonator';
  readonly subject: UserId;
  readonly sessionId: SessionId;
}

/** An agent, by its API key or by a token of its own. */
export interface AgentCaller extends Credential {
  readonly kind: 'agent';
  readonly subject: AgentId;
  /** The key that was presented, or that the token was issued for. */
  readonly keyId: ApiKeyId | undefined;
  /** The agent as it is now, where looking the credential up has told. */
  readonly record?: AgentRecord;
}

/** An agent that acts for a user. */
export interface Delegate extends Credential {
  readonly kind: 'delegate';
  readonly subject: UserId;
  readonly agentId: AgentId;
}

/** Who makes a request, as their credential tells. */
export type Caller = UserCaller | Impersonator | AgentCaller | Delegate;

/**
 * Who a credential says that they are, before it is known to be alive. No function that takes a caller takes this: what
 * only reads may go by what is claimed, and says so.
 */
export interface UnconfirmedCaller {
  readonly claimed: Caller;
}

/** A part of the service itself, or its operator at the command line. */
export interface SystemActor {
  readonly kind: 'system';
  readonly name: string;
}

/** Whether the caller is this very user, and nobody else in their name. */
export function isOneself(caller: Caller, userId: string): boolean {
  return caller.kind === 'user' && caller.subject === userId;
}

/** Whether the caller is somebody else who speaks in the name of this user: a delegate or an impersonator. */
export function isInTheNameOf(caller: Caller, userId: string): boolean {
  return (
    (caller.kind === 'delegate' || caller.kind === 'impersonator') && caller.subject === userId
  );
}

/** One name for a caller, unlike that of anyone else in the tenant. */
export function nameOf(caller: Caller): string {
  return caller.kind === 'delegate' ? `${caller.agentId} for ${caller.subject}` : caller.subject;
}
