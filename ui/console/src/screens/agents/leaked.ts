import type { ApiKey } from '@keywright/sdk';
import type { AnswerOf } from '../../api/routes.ts';

/** Maximum number of pages to search: a thousand keys. */
const MOST_PAGES = 10;

/**
 * Returns the keys that a leaked one can be: revoked as leaked, with the same prefix. The service stores no more of a
 * key.
 * @param read reads a page of all keys, newest first
 */
export async function keysLike(
  key: string,
  read: (cursor: string | undefined) => Promise<AnswerOf<'apikeys.list'>>,
): Promise<readonly ApiKey[]> {
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { items, meta } = await read(cursor);
    const found = items.filter(
      ({ prefix, revoke_reason: reason }) => reason === 'leaked' && key.startsWith(prefix),
    );
    if (found.length > 0 || meta.next_cursor === undefined) return found;
    cursor = meta.next_cursor;
  }
  return [];
}
