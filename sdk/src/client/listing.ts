import type { ListMeta } from '../generated/records.ts';
import type { ApiPromise } from './api-promise.ts';
import type { Query } from './operation.ts';

/** A page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly meta: ListMeta;
}

/**
 * A list of the service. Nothing is fetched until it is iterated or a page is requested:
 *
 * - `for await (const user of client.users.list())` iterates over every item, page after page;
 * - `await client.users.list({ limit: 50 }).page()` fetches one page, with its position in the list.
 */
export class Listing<Item> implements AsyncIterable<Item> {
  readonly #query: Query;
  readonly #fetch: (query: Query) => ApiPromise<Page<Item>>;

  constructor(query: Query, fetch: (query: Query) => ApiPromise<Page<Item>>) {
    this.#query = query;
    this.#fetch = fetch;
  }

  /** The page that the query names; by default the first. */
  page(): ApiPromise<Page<Item>> {
    return this.#fetch(this.#query);
  }

  /** Iterates over the page that the query names and the pages after it. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let page = await this.page();
    yield page;
    const { page: _, ...rest } = this.#query;
    while (page.meta.next_cursor !== undefined) {
      page = await this.#fetch({ ...rest, cursor: page.meta.next_cursor });
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }
}
