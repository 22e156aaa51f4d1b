import { setTimeout as pause } from 'node:timers/promises';

const PAUSE_MS = 10;
/** A turn that took longer counts as no more: it was the machine that was busy. */
const MOST_COUNTED_MS = 2 * PAUSE_MS;
/** How much longer than its deadline anything is waited for, however busy the machine. */
const MOST_PATIENCE_MS = 30_000;

/**
 * The one place where tests wait: asks `probe` until it answers something other than `undefined` or
 * `false`, and fails with `what` when the deadline passes. An error that `probe` throws ends the wait. The deadline is
 * reckoned by the turns of the wait, so that it is later on a machine that is slow to ask.
 */
export async function until<T>(
  what: string,
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  deadlineMs = 30_000,
): Promise<T> {
  const startedMs = performance.now();
  let countedMs = 0;
  for (let lastMs = startedMs; ;) {
    const answer = await probe();
    if (answer !== undefined && answer !== false) return answer;
    const nowMs = performance.now();
    countedMs += Math.min(nowMs - lastMs, MOST_COUNTED_MS);
    lastMs = nowMs;
    const waitedMs = nowMs - startedMs;
    if (countedMs > deadlineMs || waitedMs > deadlineMs + MOST_PATIENCE_MS) {
      throw new Error(`waited ${Math.round(waitedMs)} ms in vain: ${what}`);
    }
    await pause(PAUSE_MS);
  }
}
