/** Maximum number of IDs in one request. */
export const MOST_IDS = 100;
const USER_ID = /^user:[0-7][0-9a-hjkmnp-tv-z]{25}$/;

const NAMED_ID =
  /^(?:(?:user:|service:|key_|client_|res_|idp_|inv_|wh_)[0-7][0-9a-hjkmnp-tv-z]{25}|ws_[a-z0-9-]{1,48})$/;

/** Returns the IDs of records with a name, each once and in order, so that the same records are one request. */
export function namedIdsAmong(ids: readonly (string | null)[]): string[] {
  const named = ids.filter((id) => id !== null && NAMED_ID.test(id));
  return ([...new Set(named)] as string[]).toSorted().slice(0, MOST_IDS);
}

/** Returns the user IDs in a list, each once. A single malformed ID would make the service reject all of them. */
export function userIdsAmong(ids: readonly (string | null)[]): string[] {
  const users = ids.filter((id) => id !== null && USER_ID.test(id));
  return [...new Set(users)].slice(0, MOST_IDS) as string[];
}
