/** Relative jitter of delays, so that jobs that failed together are not retried together. */
const JITTER = 0.1;
/** Polls that are slow because of many keys run less often: they take up a twentieth of the time. */
const POLL_SHARE = 1 / 20;
/** A poll that was slow because the database stalled must not delay pending work by half a minute. */
const MAX_PAUSE_MS = 5000;

/**
 * Returns when the next attempt is due after `attempts` failed ones; undefined after the last attempt.
 * @param delaysMs delay after each failed attempt
 */
export function nextAttemptAt(
  delaysMs: readonly number[],
  attempts: number,
  now: Date,
  random = Math.random(),
): Date | undefined {
  const delay = delaysMs[attempts - 1];
  if (delay === undefined) return undefined;
  return new Date(now.getTime() + delay * (1 + JITTER * (2 * random - 1)));
}

/** Returns the minimum pause after a poll. @param tookMs duration of the poll */
export function pauseAfterPoll(tookMs: number): number {
  return Math.min(tookMs / POLL_SHARE, MAX_PAUSE_MS);
}
