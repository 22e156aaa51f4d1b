// The state of a view is its address: filters, the page of a list, the open tab.

export type Search = Readonly<Record<string, string>>;

/** Also escapes what a browser may leave as it is, because the login returns only to plain addresses. */
export function textOfSearch(search: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(search).flatMap(([name, value]) => {
    const isGiven = typeof value === 'string' && value !== '';
    return isGiven ? [`${escape(name)}=${escape(value)}`] : [];
  });
  return fields.length === 0 ? '' : `?${fields.join('&')}`;
}

function escape(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (one) => `%${one.codePointAt(0)?.toString(16).toUpperCase()}`,
  );
}

export function searchOfText(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text));
}

/** The fields that are texts; nothing else is in an address. */
export function checkSearch(search: Readonly<Record<string, unknown>>): Search {
  return Object.fromEntries(
    Object.entries(search).filter(
      (field): field is [string, string] => typeof field[1] === 'string',
    ),
  );
}

/** Filters changed: the list begins with its first page again. */
export function withFilters(search: Search, changed: Search): Search {
  const { cursor: _, page: __, ...rest } = search;
  return withoutEmpty({ ...rest, ...changed });
}

export function withoutEmpty(search: Search): Search {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== ''));
}

export const PAGE_SIZES = ['25', '50', '100'] as const;

/** The number of the page that is shown. By a cursor the service does not know it: the address does. */
export function pageNumberOf({ cursor, page = '' }: Search, numbered: number): number {
  return cursor && /^[1-9]\d{0,6}$/.test(page) ? Number(page) : numbered;
}

/** The way to the next page, and to the one before, which no cursor leads to. */
export function nextPage(cursor: string, present: number): Search {
  return { cursor, page: String(present + 1) };
}

export function previousPage(present: number): Search {
  return { cursor: '', page: present > 2 ? String(present - 1) : '' };
}

/** The query of a list: the fields that it knows, and which page. */
export function listQueryOf(
  search: Search,
  filters: readonly string[],
): Readonly<Record<string, string | number>> {
  const { cursor, page = '', limit = '' } = search;
  const size = PAGE_SIZES.find((one) => one === limit) ?? PAGE_SIZES[0];
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
