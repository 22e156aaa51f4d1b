import { readStored } from '../appearance.ts';

/** A tenant that the user opened in this browser. */
export interface RecentTenant {
  readonly id: string;
  readonly name: string;
}

const KEY = 'keywright-tenants';
const MOST = 5;
const ID = /^org_[a-z0-9-]{1,48}$/;

/** Returns the recent tenants, latest first. Ignores data written by other code. */
export function recentOf(stored: string | undefined): readonly RecentTenant[] {
  const parts = parsed(stored);
  if (!Array.isArray(parts)) return [];
  return parts.flatMap((part: unknown) => {
    const { id, name } = Object(part) as Readonly<Record<string, unknown>>;
    const isGood = typeof id === 'string' && ID.test(id) && typeof name === 'string';
    return isGood ? [{ id, name }] : [];
  });
}

function parsed(stored: string | undefined): unknown {
  try {
    return JSON.parse(stored ?? '[]');
  } catch {
    return [];
  }
}

/** Returns the same list with this tenant as the latest. */
export function withLatest(
  recent: readonly RecentTenant[],
  { id, name }: RecentTenant,
): readonly RecentTenant[] {
  return [{ id, name }, ...recent.filter((tenant) => tenant.id !== id)].slice(0, MOST);
}

export function readRecent(): readonly RecentTenant[] {
  return recentOf(readStored(KEY));
}

/** For this browser. */
export function noteRecent(tenant: RecentTenant): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(withLatest(readRecent(), tenant)));
  } catch {
    // If the browser refuses to store them, there are no recent tenants.
  }
}
