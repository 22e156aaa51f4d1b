/** As many as one request may ask for. */
export const MOST_IDS = 100;
const USER_ID = /^user:[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** The users among what a list names, each once. One text that is no id would have all of them refused. */
export function userIdsAmong(ids: readonly (string | null)[]): string[] {
  const users = ids.filter((id) => id !== null && USER_ID.test(id));
  return [...new Set(users)].slice(0, MOST_IDS) as string[];
}
