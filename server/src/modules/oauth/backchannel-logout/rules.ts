import type { EgressOutcome } from '../../../platform/egress/outcome.ts';
import type { Outcome } from '../../../tenancy/jobs/jobs.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** The delay after each failed attempt. After the last one, there is no further attempt. */
export const DELAYS_MS = [5 * SECOND, 30 * SECOND, 5 * MINUTE, 30 * MINUTE];

/** OpenID Connect Back-Channel Logout §2.8, with 204, which frameworks make of an empty 200. */
const TOLD = [200, 204];
/** The token is refused, or the request is not implemented: the next one will be no different. */
const FINAL = [400, 501];

/**
 * What a response, or none, means for a client that is told. What was not sent for reasons of our own does not count as an
 * attempt. Bodies say nothing (§2.8), and are not kept.
 */
export function judgeTelling(outcome: EgressOutcome): Outcome {
  if (outcome.outcome === 'answered') {
    const { status } = outcome;
    if (TOLD.includes(status)) return { outcome: 'done' };
    const reason = `status_${status}: The client answered ${status}.`;
    return { outcome: FINAL.includes(status) ? 'failed' : 'retry', reason };
  }
  const { reason, detail } = outcome;
  if (reason === 'too_busy' || reason === 'closed') return { outcome: 'released', reason };
  return { outcome: 'retry', reason: `${reason}: ${detail}` };
}
