import type { SessionId, SignalStreamId, UserId } from '@keywright/contract/ids';
import {
  type Signal,
  type StreamSignal,
  SET_TYP,
  SIGNALS,
  STREAM_SIGNALS,
} from '@keywright/contract/signals';
import { epochSeconds } from '../../../platform/clock.ts';
import type { JobRow } from '../../../tenancy/jobs/store.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { ApplicationJwts } from '../../tokens/signing-keys/index.ts';
import type { LoadedClient } from '../clients/index.ts';
import type { SubjectIdentifiers } from '../id-tokens/index.ts';

/** Texts for the receiver's administrators, by the recorded reason for the end of a session. */
const ENDS: Readonly<Record<string, string>> = {
  logout: 'The user signed out.',
  revoked: 'The session was ended.',
  refresh_token_reused: 'A refresh token was used twice: it could be stolen.',
  password_changed: 'The password was changed.',
  deactivated: 'The user was disabled.',
  account_reclaimed:
    'The account was transferred to the owner of its email address or phone number.',
  identifiers_restored: 'Changes to the identifiers of the account were undone.',
  user_deleted: 'The user was deleted.',
  workspace_deleted: 'The workspace was deleted.',
  consent_revoked: 'The consent for the application was revoked.',
  client_deleted: 'The application was deleted.',
  code_reused: 'An authorization code was used twice: it could be stolen.',
  restored: 'The service was restored from a backup.',
};

const EVENTS: Readonly<Record<Signal, string>> = {
  'session-revoked': 'The session ended.',
  'credential-change': 'A credential of the user changed.',
  'account-disabled': 'The user was disabled.',
  'account-enabled': 'The user was enabled.',
  'account-purged': 'The user was deleted.',
};

/** Returns the `reason_admin` of an event (CAEP §2); undefined for events about the stream itself. */
function reasonInWords(type: Signal | StreamSignal, cause: string | null): string | undefined {
  const words: Readonly<Record<string, string>> = EVENTS;
  return (cause === null ? undefined : ENDS[cause]) ?? words[type];
}

/** A stored event of a stream. */
export interface StoredSignal {
  /** The jti. */
  readonly id: string;
  /** The stream. */
  readonly queue_key: SignalStreamId;
  readonly user_id: UserId | null;
  readonly session_id: SessionId | null;
  readonly type: Signal | StreamSignal;
  readonly data: unknown;
  readonly cause: string | null;
  readonly txn: string;
  readonly created_at: Date;
}

/** A stored event with the state of its delivery. */
export type SignalRow = JobRow & StoredSignal;

/** Every receiver can verify this algorithm, which the CAEP Interoperability Profile §2.6 requires. */
export const SET_ALGORITHM = 'RS256';

const TYPES: Readonly<Record<string, string>> = { ...SIGNALS, ...STREAM_SIGNALS };

/** Signs security event tokens (RFC 8417; Shared Signals Framework §4.1). */
export class SecurityEvents {
  readonly #jwts: ApplicationJwts;
  readonly #subjects: SubjectIdentifiers;

  constructor(jwts: ApplicationJwts, subjects: SubjectIdentifiers) {
    this.#jwts = jwts;
    this.#subjects = subjects;
  }

  /**
   * Returns the same bytes for each attempt unless the key or the user's subject changes. The token has neither `exp`
   * nor `sub`, so that it cannot pass for another kind of token.
   */
  async sign(tenant: Tenant, client: LoadedClient, signal: StoredSignal): Promise<string> {
    const { id, user_id: userId, type, data, cause, txn } = signal;
    const user = userId && {
      format: 'iss_sub',
      iss: tenant.issuer,
      sub: await this.#subjects.of(tenant.id, client, userId),
    };
    const reason = reasonInWords(type, cause);
    const claims = {
      iss: tenant.issuer,
      aud: client.id,
      jti: id,
      iat: epochSeconds(signal.created_at),
      txn,
      sub_id: subjectOf(signal, user),
      events: {
        [TYPES[type] ?? type]: {
          ...(data as object),
          ...(reason !== undefined && { reason_admin: { en: reason } }),
        },
      },
    };
    return this.#jwts.sign(tenant.id, { alg: SET_ALGORITHM, typ: SET_TYP, claims });
  }
}

/** Shared Signals Framework §3, §8.1.4.1. The subject of a session contains its user. */
function subjectOf(signal: StoredSignal, user: object | null | ''): object {
  const { session_id: sessionId, queue_key: stream } = signal;
  if (!user) return { format: 'opaque', id: stream };
  if (sessionId === null) return user;
  return { format: 'complex', user, session: { format: 'opaque', id: sessionId } };
}
