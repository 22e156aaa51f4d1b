import { type Group, type Item, UNLISTED } from '../../sidebar.mjs';

export interface NavigationPage {
  readonly id: string;
  readonly title: string;
}

interface Link<P extends NavigationPage> {
  readonly label: string;
  readonly page: P;
}

export interface Section<P extends NavigationPage> {
  readonly label: string;
  readonly isCollapsed: boolean;
  readonly items: readonly (Link<P> | Section<P>)[];
}

/**
 * Fills the groups of the sidebar with pages. Groups without pages are left out.
 * @throws for an entry without a page, and for pages that have no place
 */
export function navigationOf<P extends NavigationPage>(
  pages: readonly P[],
  groups: readonly Group[],
  unlisted: readonly string[],
): Section<P>[] {
  const byId = new Map(pages.map((page) => [page.id, page]));
  const listed = new Set(groups.flatMap(pagesNamedIn));
  const missing = [...listed].filter((id) => !byId.has(id));
  if (missing.length > 0) {
    throw new Error(`site/sidebar.mjs lists pages that do not exist: ${missing.join(', ')}`);
  }
  const placed = new Set(listed);
  const expand = (item: Item): (Link<P> | Section<P>)[] => {
    if (typeof item === 'object' && 'items' in item) return [sectionOf(item)];
    const [id, label] = typeof item === 'string' ? [item] : item;
    if (id.endsWith('*')) {
      const rest = pages
        .filter((page) => isIn(page.id, id) && !placed.has(page.id))
        // The index of the folder comes first.
        .toSorted((a, b) => Number(`${b.id}/*` === id) - Number(`${a.id}/*` === id));
      for (const page of rest) placed.add(page.id);
      return rest.map((page) => ({ label: page.title, page }));
    }
    const page = byId.get(id);
    return page ? [{ label: label ?? page.title, page }] : [];
  };
  const sectionOf = ({ label, items, collapsed }: Group): Section<P> => ({
    label,
    isCollapsed: collapsed === true,
    items: items.flatMap(expand).filter((item) => 'page' in item || item.items.length > 0),
  });
  const sections = groups.map(sectionOf).filter(({ items }) => items.length > 0);
  const lost = pages.filter(
    ({ id }) => id !== '' && !placed.has(id) && !unlisted.some((folder) => isBelow(id, folder)),
  );
  if (lost.length > 0) {
    throw new Error(
      `site/sidebar.mjs has no place for ${lost.map(({ id }) => id).join(', ')}: add each to a group`,
    );
  }
  return sections;
}

/** The index that leads to a page that the sidebar does not list. */
export function indexOf(id: string): { readonly id: string; readonly label: string } | undefined {
  const entry = UNLISTED.find(([folder, index]) => isBelow(id, folder) && id !== index);
  return entry && { id: entry[1], label: entry[2] };
}

/** The pages of a navigation in reading order. */
export function pagesIn<P extends NavigationPage>({ items }: Section<P>): P[] {
  return items.flatMap((item) => ('page' in item ? [item.page] : pagesIn(item)));
}

function pagesNamedIn({ items }: Group): string[] {
  return items.flatMap((item) => {
    if (typeof item === 'object' && 'items' in item) return pagesNamedIn(item);
    const id = typeof item === 'string' ? item : item[0];
    return id.endsWith('*') ? [] : [id];
  });
}

/** Whether a page is directly in a folder (`guide/*`), or its index. */
function isIn(id: string, folder: string): boolean {
  if (!isBelow(id, folder)) return false;
  return !id.slice(folder.length - 1).includes('/');
}

function isBelow(id: string, folder: string): boolean {
  const prefix = folder.slice(0, -1);
  return id !== '' && (id.startsWith(prefix) || `${id}/` === prefix);
}
