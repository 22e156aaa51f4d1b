// Filters of the audit log that a user saves under a name.

import type { Search } from '../../../url/search.ts';

export interface View {
  /** One line. */
  readonly name: string;
  /** The filters that are set: at least one. */
  readonly filters: Search;
}

export const MOST_VIEWS = 20;
export const MOST_NAME = 60;
/** IDs, addresses and moments are shorter. */
const MOST_VALUE = 256;

/** Overrides and isolates, which would reorder the text around a name (Unicode UAX #9 §2). */
const BIDI_CONTROLS = /[\u202A-\u202E\u2066-\u2069]/g;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * Returns the name to store for a typed text: one line without characters that reorder text; '' if nothing is
 * visible.
 */
export function nameOf(typed: string): string {
  const line = typed
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(BIDI_CONTROLS, '')
    .replaceAll(/[\p{Cc}\p{Z}]+/gu, ' ')
    .trim();
  return VISIBLE.test(line) ? line : '';
}

/** Returns the filters with these names in a URL. */
export function filtersOf(search: Search, names: readonly string[]): Search {
  const set = names.flatMap((name) => {
    const value = search[name];
    return value && value.length <= MOST_VALUE ? [[name, value] as const] : [];
  });
  return Object.fromEntries(set);
}

export function areSame(filters: Search, other: Search): boolean {
  const names = Object.keys(filters);
  const isAsLong = names.length === Object.keys(other).length;
  return isAsLong && names.every((name) => filters[name] === other[name]);
}

/** Returns the views that a browser stored. Ignores data written by other code. @param names of the filters */
export function viewsOf(stored: string | undefined, names: readonly string[]): readonly View[] {
  const views: View[] = [];
  for (const part of listIn(stored)) {
    const { name, filters } = Object(part) as Readonly<Record<string, unknown>>;
    if (typeof name !== 'string' || flawOf(views, name) !== undefined || nameOf(name) !== name)
      continue;
    const good = filtersOf(textsIn(filters), names);
    if (Object.keys(good).length > 0) views.push({ name, filters: good });
  }
  return views;
}

function listIn(stored: string | undefined): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

function textsIn(filters: unknown): Search {
  const fields = Object.entries(Object(filters) as Readonly<Record<string, unknown>>);
  return Object.fromEntries(
    fields.filter((field): field is [string, string] => typeof field[1] === 'string'),
  );
}

export type Flaw = 'empty' | 'long' | 'taken' | 'full';

/** Returns why a view cannot have this name. @param before the view's current name */
export function flawOf(views: readonly View[], name: string, before?: string): Flaw | undefined {
  if (name === '') return 'empty';
  if (name.length > MOST_NAME) return 'long';
  if (views.some((view) => view.name === name && name !== before)) return 'taken';
  return before === undefined && views.length >= MOST_VIEWS ? 'full' : undefined;
}

export function renamed(views: readonly View[], before: string, name: string): readonly View[] {
  return views.map((view) => (view.name === before ? { ...view, name } : view));
}

export function without(views: readonly View[], name: string): readonly View[] {
  return views.filter((view) => view.name !== name);
}
