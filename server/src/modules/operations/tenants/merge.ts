/** Settings as a patch leaves them: what it gives is set, and null takes a setting back (RFC 7396). */
export function mergeSettings(stored: unknown, patch: object): object {
  const merged = { ...(stored as object), ...patch };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
}
