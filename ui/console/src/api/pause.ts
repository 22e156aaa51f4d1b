const SOONEST_MS = 5000;
const LATEST_MS = 60_000;

/** When something that is pending continues; null: at any moment. */
export type Due = string | null;

/** How long until it is worth while to look again at what is pending; false: nothing is. */
export function pauseOf(pending: readonly Due[], now: number): number | false {
  if (pending.length === 0) return false;
  const dues = pending.map((due) => (due === null ? now : Date.parse(due)));
  // What is due is attempted then, and answered a moment later.
  return Math.max(SOONEST_MS, Math.min(LATEST_MS, Math.min(...dues) - now + SOONEST_MS));
}
