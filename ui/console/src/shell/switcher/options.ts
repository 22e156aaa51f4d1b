import type { RecentTenant } from './recent.ts';

/** Returns the options: without a search, recent tenants first, and none twice. */
export function optionsOf(
  search: string,
  recent: readonly RecentTenant[],
  found: readonly RecentTenant[],
): readonly RecentTenant[] {
  if (search !== '') return found;
  const ids = new Set(recent.map(({ id }) => id));
  return [...recent, ...found.filter(({ id }) => !ids.has(id))];
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Returns which option is active after a key; undefined if the key does something else. */
export function activeAfter(key: string, active: number, count: number): number | undefined {
  const step = STEPS[key];
  if (step === undefined || count === 0) return undefined;
  return (active + step + count) % count;
}
