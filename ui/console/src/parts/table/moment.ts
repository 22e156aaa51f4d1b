/** What a field for a local date and time shows of a moment, `2026-11-26T15:04`; nothing of what is none. */
export function localOfMoment(moment: string): string {
  const time = Date.parse(moment);
  if (Number.isNaN(time)) return '';
  const offset = new Date(time).getTimezoneOffset() * 60_000;
  return new Date(time - offset).toISOString().slice(0, 16);
}

/** The moment, in UTC, of a local date and time. */
export function momentOfLocal(local: string): string {
  const time = Date.parse(local);
  return Number.isNaN(time) ? '' : new Date(time).toISOString();
}
