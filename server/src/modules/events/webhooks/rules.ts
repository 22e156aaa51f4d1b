import type { EgressOutcome } from '../../../platform/egress/outcome.ts';
import { nextAttemptAt } from '../../../tenancy/jobs/rules.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long after each failed attempt the next one is made. After the last one there is none. */
const DELAYS_MS = [
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
/** After so long of nothing but failures an endpoint is switched off. */
const HOPELESS_AFTER_MS = 5 * 24 * HOUR;
/** How long something waits that could not be sent through no fault of the other end. */
const PUT_OFF_MS = { too_busy: SECOND, closed: 0, internal: MINUTE, waits: 0 };
/** How much of an answer is kept. */
export const KEPT_BYTES = 1024;

/** How an attempt ended, as it is written down. */
export interface Verdict {
  /** Gone: failed, and the endpoint wants no more. Expired, released: it was no attempt. */
  readonly outcome: 'delivered' | 'retry' | 'failed' | 'gone' | 'expired' | 'released';
  /** When the next attempt is due; undefined: there is none. */
  readonly dueAt: Date | undefined;
  readonly status: number | null;
  readonly body: string | null;
  readonly reason: string | null;
}

/**
 * What an answer, or none, means for a delivery. 2xx is success; 410 says that the endpoint wants no more;
 * everything else is tried again. What we didn't send, because too much was under way or the service is
 * stopping, was no attempt.
 * @param attempts this one included
 */
export function judge(outcome: EgressOutcome, attempts: number, now: Date): Verdict {
  if (outcome.outcome === 'answered') return judgeAnswer(outcome, attempts, now);
  const { reason, detail, status = null } = outcome;
  if (reason === 'too_busy' || reason === 'closed') return putOff(reason, now);
  return { ...failure(attempts, now), status, body: null, reason: `${reason}: ${detail}` };
}

/** Nothing was sent, for reasons of our own. A delivery that waits for others has no reason. */
export function putOff(reason: keyof typeof PUT_OFF_MS, now: Date): Verdict {
  const dueAt = new Date(now.getTime() + PUT_OFF_MS[reason]);
  const told = reason === 'waits' ? null : reason;
  return { outcome: 'released', dueAt, status: null, body: null, reason: told };
}

/** What a verdict means for the endpoint; `released`: nothing was sent. */
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
  const told = { status, body: readable(body) };
  if (status >= 200 && status < 300) {
    return { outcome: 'delivered', dueAt: undefined, ...told, reason: null };
  }
  const reason = `status_${status}: The endpoint answered ${status}.`;
  if (status === 410) return { outcome: 'gone', dueAt: undefined, ...told, reason };
  return { ...failure(attempts, now), ...told, reason };
}

function failure(attempts: number, now: Date): Pick<Verdict, 'outcome' | 'dueAt'> {
  const dueAt = nextAttemptAt(DELAYS_MS, attempts, now);
  return { outcome: dueAt ? 'retry' : 'failed', dueAt };
}

/** The beginning of an answer as text that the database can keep. */
function readable(body: Buffer): string {
  return body.subarray(0, KEPT_BYTES).toString('utf8').replaceAll('\0', '\uFFFD');
}

/** Endpoints that have had only failures since then are disabled. */
export function hopelessSince(now: Date): Date {
  return new Date(now.getTime() - HOPELESS_AFTER_MS);
}
