import { SIGNALS, STREAM_SIGNALS } from '../../../contract/src/signals.ts';

/** What every event has. */
interface SignalBase {
  /** A unique ID, which is the same when the event is delivered again. */
  readonly jti: string;
  /** Identifies the change; the same for all of its events. */
  readonly txn: string | undefined;
  readonly issuedAt: Date;
  /** When the event happened, to the second. */
  readonly occurredAt: Date | undefined;
  /** The initiator (CAEP §2). */
  readonly initiatedBy: 'admin' | 'user' | 'policy' | 'system' | undefined;
  /** The reason in English, for administrators and logs. */
  readonly reason: string | undefined;
}

/** An event about a user. */
interface UserSignal extends SignalBase {
  /** The user, with the `sub` of ID tokens for this client. */
  readonly sub: string;
}

/** A session ended, so reject its tokens. */
export interface SessionRevoked extends UserSignal {
  readonly type: 'session-revoked';
  /** The session, with the `sid` of ID tokens; undefined means all sessions of the user. */
  readonly sid: string | undefined;
}

/** A password or another credential changed. */
export interface CredentialChange extends UserSignal {
  readonly type: 'credential-change';
  /** For example `password`, `app`, or `fido2-platform` (CAEP §3.3). */
  readonly credentialType: string;
  readonly changeType: 'create' | 'revoke' | 'update' | 'delete';
}

/** An account was disabled, enabled again, or deleted. */
export interface AccountChange extends UserSignal {
  readonly type: 'account-disabled' | 'account-enabled' | 'account-purged';
}

/** A test of the stream, requested by the receiver. */
export interface Verification extends SignalBase {
  readonly type: 'verification';
  readonly streamId: string;
  /** The state from the receiver's request. */
  readonly state: string | undefined;
}

/** The transmitter changed the stream. */
export interface StreamUpdated extends SignalBase {
  readonly type: 'stream-updated';
  readonly streamId: string;
  readonly status: 'enabled' | 'paused' | 'disabled';
}

/** An event of a type unknown to this version. */
export interface OtherSignal extends SignalBase {
  readonly type: 'other';
  /** URI of its type. */
  readonly uri: string;
  /** Its members, not verified. */
  readonly event: Readonly<Record<string, unknown>>;
  /** The subject (RFC 9493), not verified. */
  readonly subject: unknown;
}

/** A verified event. */
export type Signal =
  | SessionRevoked
  | CredentialChange
  | AccountChange
  | Verification
  | StreamUpdated
  | OtherSignal;

type Members = Readonly<Record<string, unknown>>;

const NAMES = new Map(
  Object.entries({ ...SIGNALS, ...STREAM_SIGNALS }).map(([name, uri]) => [uri as string, name]),
);

/** Returns the event in verified claims, or undefined if it is incomplete. */
export function signalOf(claims: Members): Signal | undefined {
  const entries = Object.entries(asMembers(claims['events']) ?? {});
  const [[uri, members] = [''], ...others] = entries;
  const event = asMembers(members);
  const { jti, iat } = claims;
  if (!event || others.length > 0 || typeof jti !== 'string' || typeof iat !== 'number') {
    return undefined;
  }
  const base = {
    jti,
    txn: asText(claims['txn']),
    issuedAt: new Date(iat * 1000),
    occurredAt: dateOf(event['event_timestamp']),
    initiatedBy: asText(event['initiating_entity']) as SignalBase['initiatedBy'],
    reason: asText(asMembers(event['reason_admin'])?.['en']),
  };
  const subject = asMembers(claims['sub_id']);
  const name = NAMES.get(uri);
  if (name === undefined) return { ...base, type: 'other', uri, event, subject };
  if (name in STREAM_SIGNALS) return streamSignal(base, name, event, subject);
  return userSignal(base, name, event, subject);
}

function streamSignal(
  base: SignalBase,
  type: string,
  event: Members,
  subject: Members | undefined,
): Signal | undefined {
  const streamId = asText(subject?.['id']);
  if (streamId === undefined) return undefined;
  if (type === 'verification') return { ...base, type, streamId, state: asText(event['state']) };
  const status = asText(event['status']) as StreamUpdated['status'];
  return { ...base, type: 'stream-updated', streamId, status };
}

function userSignal(
  base: SignalBase,
  type: string,
  event: Members,
  subject: Members | undefined,
): Signal | undefined {
  const user = subject?.['format'] === 'complex' ? asMembers(subject['user']) : subject;
  const sub = asText(user?.['sub']);
  if (sub === undefined) return undefined;
  if (type === 'session-revoked') {
    return { ...base, type, sub, sid: asText(asMembers(subject?.['session'])?.['id']) };
  }
  if (type !== 'credential-change') return { ...base, type: type as AccountChange['type'], sub };
  const credentialType = asText(event['credential_type']);
  const changeType = asText(event['change_type']) as CredentialChange['changeType'] | undefined;
  if (credentialType === undefined || changeType === undefined) return undefined;
  return { ...base, type, sub, credentialType, changeType };
}

function asMembers(value: unknown): Members | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Members)
    : undefined;
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function dateOf(seconds: unknown): Date | undefined {
  return typeof seconds === 'number' ? new Date(seconds * 1000) : undefined;
}
