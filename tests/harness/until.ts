import { setTimeout as pause } from 'node:timers/promises';

const PAUSE_MS = 10;
/** A longer turn counts as this long, because the machine was busy. */
const MOST_COUNTED_MS = 2 * PAUSE_MS;
/** The maximum wait beyond a deadline, however busy the machine. */
const MOST_PATIENCE_MS = 30_000;

/**
 * The only way for tests to wait. Calls `probe` until it returns something other than `undefined` or `false`, and fails
 * with `what` at the deadline. An error of `probe` ends the wait. The deadline counts turns of the wait, so it is later
 * on a slow machine.
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
