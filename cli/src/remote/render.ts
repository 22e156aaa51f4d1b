// Renders responses of a service; all of their text is untrusted.

import { columns, plain } from '../layout.ts';

type Item = Readonly<Record<string, unknown>>;

const NONE = '-';

/** Renders records as a table, followed by the option that continues the list. */
export function renderList(
  items: readonly Item[],
  shown: readonly string[],
  next: string | undefined,
): string {
  if (items.length === 0) return 'No results.';
  const head = shown.map((field) => field.toUpperCase().replaceAll('_', ' '));
  const rows = items.map((item) => shown.map((field) => cell(item[field])));
  const table = columns([head, ...rows]);
  return next === undefined ? table : `${table}\nMore results: ${plain(next)}`;
}

/** Renders a record, one field per line. */
export function renderRecord(record: Item): string {
  if (record['deleted'] === true) return `Deleted ${cell(record['id'])}.`;
  if (record['revoked'] === true) return `Revoked ${cell(record['id'])}.`;
  const rows = Object.entries(record).map(([field, value]) => [plain(field), cell(value)]);
  return columns(rows.map(([field = '', value = '']) => [field, shownOnce(field, value)]));
}

/** Marks the fields of the contract that only one response contains. */
function shownOnce(field: string, value: string): string {
  return field === 'key' || field === 'secret' ? `${value}   (shown only once: save it)` : value;
}

/** Renders a value on one line. */
export function cell(value: unknown): string {
  if (value === null || value === undefined || value === '') return NONE;
  if (Array.isArray(value)) return value.length === 0 ? NONE : value.map(cell).join(', ');
  if (typeof value === 'string') return plain(value);
  const { identifier } = Object(value) as { readonly identifier?: unknown };
  return plain(typeof identifier === 'string' ? identifier : JSON.stringify(value));
}
