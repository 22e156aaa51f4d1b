// The URL contains the state of a view: filters, the page of a list, the open tab.

export type Search = Readonly<Record<string, string>>;

/** Also escapes what a browser can leave unescaped, because the login returns only to plain addresses. */
export function textOfSearch(search: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(search).flatMap(([name, value]) => {
    const isSet = typeof value === 'string' && value !== '';
    return isSet ? [`${escape(name)}=${escape(value)}`] : [];
  });
  return fields.length === 0 ? '' : `?${fields.join('&')}`;
}

function escape(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.codePointAt(0)?.toString(16).toUpperCase()}`,
  );
}

export function searchOfText(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Returns the fields that are texts. A URL contains nothing else. */
export function checkSearch(search: Readonly<Record<string, unknown>>): Search {
  return Object.fromEntries(
    Object.entries(search).filter(
      (field): field is [string, string] => typeof field[1] === 'string',
    ),
  );
}

/** Returns the state with changed filters. The list starts at its first page again. */
export function withFilters(search: Search, changed: Search): Search {
  const { cursor: _, page: __, ...rest } = search;
  return withoutEmpty({ ...rest, ...changed });
}

export function withoutEmpty(search: Search): Search {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== ''));
}

export const PAGE_SIZES = ['25', '50', '100'] as const;

/** Returns the number of the displayed page. With a cursor the service does not know it, but the URL does. */
export function pageNumberOf({ cursor, page = '' }: Search, numbered: number): number {
  return cursor && /^[1-9]\d{0,6}$/.test(page) ? Number(page) : numbered;
}

/** Returns the state for the next page. No cursor leads to the previous page, so the number is stored as well. */
export function nextPage(cursor: string, present: number): Search {
  return { cursor, page: String(present + 1) };
}

export function previousPage(present: number): Search {
  return { cursor: '', page: present > 2 ? String(present - 1) : '' };
}

/** Returns the query of a list: the fields that it knows, and the page. */
export function listQueryOf(
  search: Search,
  filters: readonly string[],
): Readonly<Record<string, string | number>> {
  const { cursor, page = '', limit = '' } = search;
  const size = PAGE_SIZES.find((pageSize) => pageSize === limit) ?? PAGE_SIZES[0];
  const chosen = filters.flatMap((name) => (search[name] ? [[name, search[name]] as const] : []));
  return {
    ...Object.fromEntries(chosen),
    limit: Number(size),
    ...(cursor
      ? { cursor }
      : /^[1-9]\d{0,6}$/.test(page) && page !== '1'
        ? { page: Number(page) }
        : {}),
  };
}
