/** Relative jitter of delays, so that jobs that failed together are not retried together. */
const JITTER = 0.1;
/** Slow polls, among many keys, are made less often: they take a twentieth of the time. */
const POLL_SHARE = 1 / 20;
/** One that was slow because the database stalled must not delay what waits by half a minute. */
const MAX_PAUSE_MS = 5000;

/**
 * When the next attempt is due after `attempts` failed ones; undefined after the last one.
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

/** The least pause after a poll. @param tookMs duration of the poll */
export function pauseAfterPoll(tookMs: number): number {
  return Math.min(tookMs / POLL_SHARE, MAX_PAUSE_MS);
}
