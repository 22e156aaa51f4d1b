/** Maximum number of IDs in one request. */
export const MOST_IDS = 100;
const USER_ID = /^user:[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Returns the user IDs in a list, each once. A single malformed ID would make the service reject all of them. */
export function userIdsAmong(ids: readonly (string | null)[]): string[] {
  const users = ids.filter((id) => id !== null && USER_ID.test(id));
  return [...new Set(users)].slice(0, MOST_IDS) as string[];
}
