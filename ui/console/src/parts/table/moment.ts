/** Returns a moment as the value of a field for a local date and time, `2026-11-26T15:04`; empty if invalid. */
export function localOfMoment(moment: string): string {
  const time = Date.parse(moment);
  if (Number.isNaN(time)) return '';
  const offset = new Date(time).getTimezoneOffset() * 60_000;
  return new Date(time - offset).toISOString().slice(0, 16);
}

/** Returns the moment of a local date and time, in UTC. */
export function momentOfLocal(local: string): string {
  const time = Date.parse(local);
  return Number.isNaN(time) ? '' : new Date(time).toISOString();
}
