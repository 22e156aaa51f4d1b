import type { DatabaseFunction, Field } from './catalog.ts';
import type { Header } from './header.ts';

/** What PostgreSQL expects of a function that returns rows and does not state their number. */
const UNSTATED_ROWS = 1000;

/** Whether the function, which is for one tenant, is called for each item of a batch. */
export function isBatched({ caller }: Header): boolean {
  return caller.startsWith('batched');
}

/** @throws when one statement cannot call the function for each item of a batch */
export function requireBatchable({ name, parameters, expectedRows }: DatabaseFunction): void {
  if (parameters[0]?.name !== 'p_tenant')
    throw new Error(`${name} is called in batches: its first argument must be p_tenant.`);
  const list = parameters.find(({ type }) => type.endsWith('[]'));
  if (list) throw new Error(`${name} is called in batches: ${list.name} cannot be an array.`);
  // The planner would expect so many rows that a plan for any values seemed worse than a new plan for each call.
  if (expectedRows === UNSTATED_ROWS)
    throw new Error(`${name} is called in batches: state how many rows it returns, as in ROWS 1.`);
}

/**
 * Returns a statement that calls a function for each item, and adds the place of the item to each row. A function that
 * writes is called in the order of its first two arguments, in which batches lock their rows (server/sql/README.md).
 */
export function batchText(fn: DatabaseFunction, { caller }: Header): string {
  const { name, parameters, isTable, columns } = fn;
  const names = parameters.map((parameter) => parameter.name);
  const arrays = parameters.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ');
  const items = `unnest(${arrays}) WITH ORDINALITY AS item (${names.join(', ')}, n)`;
  const keys = parameters.slice(0, 2).filter(({ type }) => type !== 'jsonb');
  const order = [...keys.map(sortKey), 'n'].join(', ');
  const from =
    caller === 'batched writing' ? `(SELECT * FROM ${items} ORDER BY ${order}) AS item` : items;
  const call = `${name}(${names.map((parameterName) => `item.${parameterName}`).join(', ')})`;
  const place = 'SELECT item.n::integer AS place';
  if (isTable) return `${place}, result.* FROM ${from} CROSS JOIN LATERAL ${call} AS result`;
  return `${place}, ${call}${columns.length > 0 ? ' AS answer' : ''} FROM ${from}`;
}

/** Text is sorted by its bytes, as the service sorts it. */
function sortKey({ name, type }: Field): string {
  return type === 'text' ? `${name} COLLATE "C"` : name;
}
