/** A node reports every five minutes that it is up. */
const SILENT_MS = 6 * 60 * 1000;
/** Work that was due a moment ago is in progress. */
const LATE_MS = 60 * 1000;

export function isSilent(seenAt: string, now: number): boolean {
  return now - Date.parse(seenAt) > SILENT_MS;
}

export function isLate(lateSince: string | null, now: number): boolean {
  return lateSince !== null && now - Date.parse(lateSince) > LATE_MS;
}
