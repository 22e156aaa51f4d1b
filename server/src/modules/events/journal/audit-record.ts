import { createHmac } from 'node:crypto';
import type { AuditAction, Outcome, TargetKind, ActorKind } from '@keywright/contract/audit';
import { canonicalJson } from '@keywright/contract/canonical-json';
import { type EventData, EVENTS, type EventType } from '@keywright/contract/events';
import {
  DEFAULT_TENANT,
  type TenantId,
  type EventId,
  type OAuthClientId,
  type SessionId,
  type UserId,
  type AgentId,
  type ApiKeyId,
  type DelegationId,
} from '@keywright/contract/ids';
import type { AuditDetails } from '@keywright/contract/records/audit-entry';
import type { SessionEndReason } from '@keywright/contract/records/session';
import { newAuditEntryId, newEventId } from '../../../platform/crypto/ids.ts';
import type { AuditKey } from '../../../tenancy/audit-keys.ts';
import type {
  AgentCaller,
  AppCaller,
  Caller,
  Delegate,
  Origin,
  SystemActor,
} from '../../../tenancy/caller.ts';
import {
  type DescribeSystemWork,
  type SystemTx,
  type TenantTx,
  asTenant,
} from '../../../tenancy/gate.ts';
import { insertRecord, type SerializedChanges } from './audit-store.ts';

/**
 * Writes the records of a change, in its transaction and in one statement: the entry of the audit log and the events. A
 * rollback removes both.
 */
export function record(tx: TenantTx, by: Actor, change: Change): Promise<void> {
  return recordAll(tx, by, [change]);
}

/** Writes the records of several changes; does nothing if there are none. */
export async function recordAll(
  tx: TenantTx,
  by: Actor,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length === 0) return;
  const key = await tx.auditKey();
  await insertRecord(tx, serializeChanges(key, tx.tenantId, by, changes, tx.now));
}

/** Describes work across tenants for the log of the default tenant, visible only to system administrators. */
export const describeSystemWork: DescribeSystemWork = (key, by, reason, on, now) =>
  serializeChanges(key, DEFAULT_TENANT, actingAtHome(by), [systemWork(reason, on)], now).entries;

/** Records work across tenants by the service itself, when it creates the default tenant. */
export function recordMaintenance(
  tx: SystemTx,
  by: SystemActor,
  reason: string,
  on?: TenantId,
): Promise<void> {
  return asTenant(tx, DEFAULT_TENANT, (home) => record(home, by, systemWork(reason, on)));
}

function systemWork(reason: string, on: TenantId | undefined): Change {
  return {
    action: 'system.work',
    target: on ? { kind: 'tenant', id: on } : { kind: 'installation', id: null },
    details: { reason },
  };
}

/** An event to be written; `tenant_id` is added to its data. */
export type NewEvent = {
  [T in EventType]: {
    readonly type: T;
    readonly data: Omit<EventData<T>, 'tenant_id'>;
    /** For callers that need the ID in advance; default: a new one. */
    readonly id?: EventId;
  };
}[EventType];

/** The records of one change: an entry of the audit log, and events. */
export interface Change {
  readonly action: AuditAction;
  readonly target: { readonly kind: TargetKind; readonly id: string | null };
  /** Default success. */
  readonly outcome?: Outcome;
  /** The number of occurrences that the entry represents; default 1. */
  readonly count?: number;
  /** Never a secret. */
  readonly details?: AuditDetails;
  readonly events?: readonly NewEvent[];
}

/** Serializes changes as they are written, all of them at `now`. */
export function serializeChanges(
  key: AuditKey,
  tenantId: TenantId,
  by: Actor,
  changes: readonly Change[],
  now: Date,
): SerializedChanges {
  const events = changes.flatMap((change) => change.events ?? []);
  return {
    entries: authenticated(
      key,
      tenantId,
      changes.map((change) => entryOf(by, change, now)),
    ),
    events: asJson(events.map((event) => eventOf(tenantId, event, now))),
  };
}

export function entryOf(by: Actor, change: Change, now: Date): NewEntry {
  const { action, target, outcome = 'success', count = 1, details = {} } = change;
  const { actor_id, actor_kind, address, credential, on_behalf_of, request_id } = actorColumns(by);
  // In the order of canonical JSON.
  return {
    action,
    actor_id,
    actor_kind,
    address,
    count,
    created_at: now.toISOString(),
    credential,
    details,
    id: newAuditEntryId(now),
    on_behalf_of,
    outcome,
    request_id,
    target_id: target.id,
    target_kind: target.kind,
  };
}

function eventOf(tenantId: TenantId, { type, data, id }: NewEvent, now: Date) {
  const withTenant: Readonly<Record<string, unknown>> = { ...data, tenant_id: tenantId };
  return {
    id: id ?? newEventId(now),
    type,
    subject: String(withTenant[EVENTS[type].subject]),
    data: withTenant,
    created_at: now.toISOString(),
  };
}

/** A user in their tenant, or impersonating in another one. */
interface Person {
  readonly kind: 'user' | 'impersonator';
  readonly subject: UserId;
  /** Undefined while the user joins: their first session does not exist yet. */
  readonly sessionId: SessionId | undefined;
  readonly from: Origin;
}

/** An OAuth client acting for itself. */
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

/** The actor of an audit entry. Every caller is an actor. */
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

/** A user who accepts an invitation, before their session opens. */
export function joining(subject: UserId, from: Origin): Person {
  return { kind: 'user', subject, sessionId: undefined, from };
}

/** The caller as the log of another tenant names them: there, a system administrator is an impersonator. */
export function actingIn(tenantId: TenantId, by: Caller | SystemActor): Actor {
  const isAtHome = by.kind !== 'user' || tenantId === by.claims.tenant_id;
  return isAtHome ? by : { ...by, kind: 'impersonator' };
}

/** The caller as the log of the default tenant names them: there, an impersonator is a user. */
function actingAtHome(by: Caller | SystemActor): Actor {
  return by.kind === 'impersonator' ? { ...by, kind: 'user' } : by;
}

export function actorColumns(by: Actor): ActorColumns {
  const kind = by.kind === 'client' ? 'app' : by.kind;
  return { actor_kind: kind, ...identityOf(by), ...originOf(by) };
}

function identityOf(by: Actor): Pick<ActorColumns, 'actor_id' | 'on_behalf_of' | 'credential'> {
  switch (by.kind) {
    case 'user':
    case 'impersonator':
      return { actor_id: by.subject, on_behalf_of: null, credential: by.sessionId ?? null };
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

function originOf(by: Actor): Pick<ActorColumns, 'address' | 'request_id'> {
  if (by.kind === 'system') return { address: null, request_id: null };
  return { address: by.from.address, request_id: by.from.requestId };
}

/** A session that was active until this change. */
export interface EndedSession {
  readonly id: SessionId;
  readonly user_id: UserId;
}

/** The event about a session that ended before its expiry. */
export function sessionRevoked({ id, user_id }: EndedSession, reason: SessionEndReason): NewEvent {
  return { type: 'session.revoked', data: { session_id: id, user_id, reason } };
}

/** What was revoked. */
export interface Revoked {
  readonly keys: readonly { readonly id: ApiKeyId; readonly agent_id: AgentId }[];
  readonly delegations: readonly {
    readonly id: DelegationId;
    readonly user_id: UserId;
    readonly agent_id: AgentId;
  }[];
}

/** The events of keys and delegations that have ended. */
export function revocationEvents({ keys, delegations }: Revoked, reason: string): NewEvent[] {
  return [
    ...keys.map(({ id, agent_id }) => {
      return { type: 'apikey.revoked', data: { key_id: id, agent_id, reason } } as const;
    }),
    ...delegations.map(({ id, user_id, agent_id }) => {
      const data = { delegation_id: id, user_id, agent_id };
      return { type: 'delegation.revoked', data } as const;
    }),
  ];
}

/** The columns of an entry that identify the actor. */
interface ActorColumns {
  readonly actor_kind: ActorKind;
  readonly actor_id: string | null;
  readonly on_behalf_of: string | null;
  readonly credential: string | null;
  readonly address: string | null;
  readonly request_id: string | null;
}

/** The columns of a new entry. */
export interface NewEntry extends ActorColumns {
  readonly id: string;
  readonly created_at: string;
  readonly action: AuditAction;
  readonly target_kind: TargetKind;
  readonly target_id: string | null;
  readonly outcome: Outcome;
  readonly count: number;
  readonly details: AuditDetails;
}

/** Text that PostgreSQL rejects: NUL, and lone surrogates (which JSON.stringify escapes). */
const NOT_STORABLE = /\\u(?:0000|d[89a-f])/i;

/**
 * Serializes entries as a list in canonical JSON, each with its MAC. The MAC covers the text passed to the database, so
 * that it also matches what the database returns.
 */
export function authenticated(
  key: AuditKey,
  tenantId: TenantId,
  entries: readonly NewEntry[],
): string {
  const texts = entries.map((entry) => {
    const text = storableText(entry);
    const mac = hmacOf(key, tenantId, text);
    return `${text.slice(0, -1)},"mac":"\\\\x${mac}"}`;
  });
  return `[${texts.join(',')}]`;
}

function storableText(entry: NewEntry): string {
  const text = canonicalJson(entry);
  return NOT_STORABLE.test(text) ? canonicalJson(JSON.parse(text, wellFormed)) : text;
}

function wellFormed(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\u{FFFD}') : value;
}

/** Serializes a list in the same way, without MACs. */
function asJson(list: readonly object[]): string {
  const json = JSON.stringify(list);
  return NOT_STORABLE.test(json) ? JSON.stringify(list, wellFormed) : json;
}

/** In hexadecimal, which Node.js produces faster than bytes. */
export function hmacOf(key: AuditKey, tenantId: string, text: string): string {
  return createHmac('sha256', key).update(`entry\n${tenantId}\n${text}`).digest('hex');
}
