const SOONEST_MS = 5000;
const LATEST_MS = 60_000;

/** When pending work continues; null: at any moment. */
export type Due = string | null;

/** Returns how long to wait before checking pending work again; false: nothing is pending. */
export function pauseOf(pending: readonly Due[], now: number): number | false {
  if (pending.length === 0) return false;
  const dues = pending.map((due) => (due === null ? now : Date.parse(due)));
  // Due work is attempted at that time, and its result follows a moment later.
  return Math.max(SOONEST_MS, Math.min(LATEST_MS, Math.min(...dues) - now + SOONEST_MS));
}
