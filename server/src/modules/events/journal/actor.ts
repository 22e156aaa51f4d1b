import type { ActorKind } from '@keywright/contract/audit';
import type { OAuthClientId, SessionId, TenantId, UserId } from '@keywright/contract/ids';
import type {
  AgentCaller,
  AppCaller,
  Caller,
  Delegate,
  Origin,
  SystemActor,
} from '../../../tenancy/caller.ts';

/** A person by their session, in their own tenant or impersonating in another one. */
interface Person {
  readonly kind: 'user' | 'impersonator';
  readonly subject: UserId;
  readonly sessionId: SessionId;
  readonly from: Origin;
}

/** An OAuth client for itself. */
interface Client {
  readonly kind: 'client';
  readonly clientId: OAuthClientId;
  readonly from: Origin;
}

/** An unauthenticated client, such as one that registers or fails to log in. */
interface Anonymous {
  readonly kind: 'anonymous';
  readonly from: Origin;
}

/** The actor of an audit entry. Every caller is one. */
export type Actor =
  | Person
  | Pick<AgentCaller, 'kind' | 'subject' | 'keyId' | 'from'>
  | Pick<Delegate, 'kind' | 'subject' | 'agentId' | 'claims' | 'from'>
  | Pick<AppCaller, 'kind' | 'subject' | 'clientId' | 'sessionId' | 'from'>
  | Client
  | Anonymous
  | SystemActor;

export function anonymous(from: Origin): Anonymous {
  return { kind: 'anonymous', from };
}

/** The caller as the log of another tenant names them: there, a system administrator is an impersonator. */
export function actingIn(tenantId: TenantId, by: Caller | SystemActor): Actor {
  const isAtHome = by.kind !== 'user' || tenantId === by.claims.tenant_id;
  return isAtHome ? by : { ...by, kind: 'impersonator' };
}

/** The caller as the log of the default tenant names them: where an impersonator is a user. */
export function actingAtHome(by: Caller | SystemActor): Actor {
  return by.kind === 'impersonator' ? { ...by, kind: 'user' } : by;
}

/** The columns of an entry that identify the actor. */
export interface ActorColumns {
  readonly actor_kind: ActorKind;
  readonly actor_id: string | null;
  readonly on_behalf_of: string | null;
  readonly credential: string | null;
  readonly address: string | null;
  readonly request_id: string | null;
}

export function actorColumns(by: Actor): ActorColumns {
  const kind = by.kind === 'client' ? 'app' : by.kind;
  return { actor_kind: kind, ...whoOf(by), ...whereOf(by) };
}

function whoOf(by: Actor): Pick<ActorColumns, 'actor_id' | 'on_behalf_of' | 'credential'> {
  switch (by.kind) {
    case 'user':
    case 'impersonator':
      return { actor_id: by.subject, on_behalf_of: null, credential: by.sessionId };
    case 'agent':
      return { actor_id: by.subject, on_behalf_of: null, credential: by.keyId ?? null };
    case 'delegate': {
      const credential = by.claims.act?.delegation_id ?? null;
      return { actor_id: by.agentId, on_behalf_of: by.subject, credential };
    }
    case 'app':
      return { actor_id: by.clientId, on_behalf_of: by.subject, credential: by.sessionId };
    case 'client':
      return { actor_id: by.clientId, on_behalf_of: null, credential: null };
    case 'system':
      return { actor_id: by.name, on_behalf_of: null, credential: null };
    case 'anonymous':
      return { actor_id: null, on_behalf_of: null, credential: null };
  }
}

function whereOf(by: Actor): Pick<ActorColumns, 'address' | 'request_id'> {
  if (by.kind === 'system') return { address: null, request_id: null };
  return { address: by.from.address, request_id: by.from.requestId };
}
