import type { SessionId, SignalStreamId, UserId } from '@keywright/contract/ids';
import {
  SET_TYP,
  type Signal,
  SIGNALS,
  STREAM_SIGNALS,
  type StreamSignal,
} from '@keywright/contract/signals';
import { epochSeconds } from '../../../platform/clock.ts';
import type { JobRow } from '../../../tenancy/jobs/store.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { SignJwt } from '../../tokens/signing-keys/index.ts';
import type { SubjectFor } from '../claims/index.ts';
import type { KnownClient } from '../clients/index.ts';
import { reasonInWords } from './words.ts';

/** An event of a stream, as it is stored. */
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

/**
 * The signed event (RFC 8417; Shared Signals Framework §4.1): the same bytes whenever it is sent, as long as neither the key
 * nor what the receiver knows the user by changes. No `exp` and no `sub`, so that it is no other token.
 */
export type SecurityEvent = (
  tenant: Tenant,
  client: KnownClient,
  signal: StoredSignal,
) => Promise<string>;

interface EventDependencies {
  readonly signJwt: SignJwt;
  readonly subjectFor: SubjectFor;
}

/** What every receiver verifies, and the CAEP Interoperability Profile §2.6 demands. */
export const SET_ALGORITHM = 'RS256';

const TYPES: Readonly<Record<string, string>> = { ...SIGNALS, ...STREAM_SIGNALS };

export function createSecurityEvent({ signJwt, subjectFor }: EventDependencies): SecurityEvent {
  return async (tenant, client, signal) => {
    const { id, user_id: userId, type, data, cause, txn } = signal;
    const user = userId && {
      format: 'iss_sub',
      iss: tenant.issuer,
      sub: await subjectFor(tenant.id, client, userId),
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
    return signJwt(tenant.id, { alg: SET_ALGORITHM, typ: SET_TYP, claims });
  };
}

/** Shared Signals Framework §3, §8.1.4.1. A session is one of the user. */
function subjectOf(signal: StoredSignal, user: object | null | ''): object {
  const { session_id: sessionId, queue_key: stream } = signal;
  if (!user) return { format: 'opaque', id: stream };
  if (sessionId === null) return user;
  return { format: 'complex', user, session: { format: 'opaque', id: sessionId } };
}
