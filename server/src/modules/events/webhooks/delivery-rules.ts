import type { EgressOutcome } from '../../../platform/egress/outcome.ts';
import type { Reason } from '../../../platform/coded-reason.ts';
import { nextAttemptAt } from '../../../tenancy/jobs/rules.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The delay after each failed attempt. The last entry is followed by the final attempt. */
export const DELAYS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
/** An endpoint that has only failed for this long is disabled. */
export const HOPELESS_AFTER_MS = 5 * 24 * HOUR;
/** The delay before a delivery that was postponed for internal reasons. */
const PUT_OFF_MS = { too_busy: SECOND, closed: 0, internal: MINUTE, waits: 0 };
/** The number of bytes of a response that are stored. */
export const STORED_BYTES = 1024;

/** The recorded result of an attempt. */
export interface Verdict {
  /** Gone: the endpoint responded with 410. Expired and released do not count as attempts. */
  readonly outcome: 'delivered' | 'retry' | 'failed' | 'gone' | 'expired' | 'released';
  /** When the next attempt is due; undefined if there is none. */
  readonly dueAt: Date | undefined;
  readonly status: number | null;
  readonly body: string | null;
  readonly reason: Reason | null;
  /** How long the endpoint took; undefined if nothing was sent. */
  readonly durationMs?: number;
}

/**
 * The verdict on a delivery after a response, or after none. 2xx is success, 410 disables the endpoint, and everything
 * else is retried. A delivery that was not sent, because too many were in progress or the service shut down, does not
 * count as an attempt.
 * @param attempts including this one
 */
export function judge(outcome: EgressOutcome, attempts: number, now: Date): Verdict {
  if (outcome.outcome === 'answered') return judgeAnswer(outcome, attempts, now);
  const { reason: code, detail, status = null } = outcome;
  if (code === 'too_busy' || code === 'closed') return putOff(code, now);
  return { ...failure(attempts, now), status, body: null, reason: { code, detail } };
}

/** The verdict if nothing was sent for internal reasons. A delivery that waits for others has no reason. */
export function putOff(why: keyof typeof PUT_OFF_MS, now: Date): Verdict {
  const dueAt = new Date(now.getTime() + PUT_OFF_MS[why]);
  const reason = why === 'waits' ? null : { code: why };
  return { outcome: 'released', dueAt, status: null, body: null, reason };
}

/** The condition of the endpoint that a verdict shows; `released` if nothing was sent. */
export function conditionOf({ outcome }: Verdict): 'well' | 'failing' | 'released' | undefined {
  if (outcome === 'expired') return undefined;
  if (outcome === 'released') return outcome;
  return outcome === 'delivered' ? 'well' : 'failing';
}

function judgeAnswer(
  { status, body }: Extract<EgressOutcome, { outcome: 'answered' }>,
  attempts: number,
  now: Date,
): Verdict {
  const response = { status, body: readable(body) };
  if (status >= 200 && status < 300) {
    return { outcome: 'delivered', dueAt: undefined, ...response, reason: null };
  }
  const reason = { code: `status_${status}`, detail: `The endpoint returned ${status}.` };
  if (status === 410) return { outcome: 'gone', dueAt: undefined, ...response, reason };
  return { ...failure(attempts, now), ...response, reason };
}

function failure(attempts: number, now: Date): Pick<Verdict, 'outcome' | 'dueAt'> {
  const dueAt = nextAttemptAt(DELAYS_MS, attempts, now);
  return { outcome: dueAt ? 'retry' : 'failed', dueAt };
}

/** The start of a response, as text that the database can store. */
function readable(body: Buffer): string {
  return body.subarray(0, STORED_BYTES).toString('utf8').replaceAll('\0', '\uFFFD');
}

/** Endpoints that have only failed since then are disabled. */
export function hopelessSince(now: Date): Date {
  return new Date(now.getTime() - HOPELESS_AFTER_MS);
}
