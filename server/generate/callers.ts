import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Database } from '../src/platform/db/database.ts';
import { type DatabaseFunction, listFunctions } from './catalog.ts';
import { isColumnList } from '../src/platform/db/schema-files.ts';
import { columnTypes } from './columns.ts';
import { isBatched, requireBatchable } from './batch.ts';
import { callerOf } from './caller.ts';
import { type Header, headerOf } from './header.ts';

const SQL = new URL('../sql/', import.meta.url);

/**
 * Generates a caller next to the SQL file of each function that code calls, by its path from the root. The text is
 * undefined for an existing file that has no such function and must be deleted.
 * @throws when a function has no file, or its file does not state its caller
 */
export async function callerFiles(database: Database): Promise<Map<string, string | undefined>> {
  const paths = readdirSync(SQL, { recursive: true, encoding: 'utf8' }).map(posix);
  const files = new Map<string, string | undefined>(
    paths.filter((path) => path.endsWith('.ts')).map((path) => [`server/sql/${path}`, undefined]),
  );
  const types = await columnTypes(database);
  const all = await listFunctions(database.kysely, types);
  const functions = all.filter((fn) => !isOfMigrations(fn)).map((fn) => described(fn, paths));
  const answers = new Map(functions.map(({ fn, header }) => [fn.name, header.types.get('answer')]));
  for (const { fn, path, header: stated } of functions) {
    const header = { ...stated, types: withAnswers(stated.types, answers) };
    requireExistingNames(fn, header);
    if (header.caller === 'none') continue;
    if (isBatched(header)) requireBatchable(fn);
    files.set(
      `server/sql/${path.replace(/sql$/, 'ts')}`,
      callerOf(typed(fn, header, types), header),
    );
  }
  return files;
}

/** A function with its file and the header of the file. */
function described(fn: DatabaseFunction, paths: readonly string[]) {
  const path = paths.find((candidate) => basename(candidate) === `${fn.name}.sql`);
  if (path === undefined) throw new Error(`${fn.name} has no file in server/sql.`);
  const text = readFileSync(new URL(path, SQL), 'utf8');
  // The header of a list of columns is part of that of the function.
  const lists = paths.filter(
    (candidate) =>
      isColumnList(candidate) && text.includes(`:${basename(candidate, '.columns.sql')}`),
  );
  const headers = lists.map((list) => readFileSync(new URL(list, SQL), 'utf8'));
  return { fn, path, header: headerOf(fn.name, [...headers, text].join('')) };
}

/** Replaces the names of functions in types by the types that their headers state for their answers. */
function withAnswers(
  types: Header['types'],
  answers: ReadonlyMap<string, string | undefined>,
): Header['types'] {
  const replaced = (type: string) =>
    type.replaceAll(/\bkw_\w+/g, (name) => answers.get(name) ?? name);
  return new Map([...types].map(([name, type]) => [name, replaced(type)]));
}

/** Returns the function with the table column types that its header assigns. */
function typed(
  fn: DatabaseFunction,
  { tables }: Header,
  types: ReadonlyMap<string, string>,
): DatabaseFunction {
  const columns = fn.columns.map((column) => {
    const stated = types.get(`${tables.get(column.name)}.${column.name}`);
    return stated === undefined ? column : { ...column, stated };
  });
  return { ...fn, columns };
}

function posix(path: string): string {
  return path.replaceAll('\\', '/');
}

/** Whether the function is defined by a migration for its own use. */
function isOfMigrations({ name, parameters }: DatabaseFunction): boolean {
  // Indexes contain the results of kw_grams.
  return name === 'kw_grams' || parameters.some(({ type }) => type === 'regclass');
}

/** @throws when the header names an argument or column that the function does not have */
function requireExistingNames(
  { name, parameters, columns }: DatabaseFunction,
  header: Header,
): void {
  const fieldNames = new Set([...parameters, ...columns].map((field) => field.name));
  const { column, present = [] } = header.when ?? {};
  const named = [
    ...header.nullable,
    ...header.types.keys(),
    ...header.tables.keys(),
    ...present,
    ...(column ? [column] : []),
  ];
  const unknown = named.filter((fieldName) => !fieldNames.has(fieldName));
  if (unknown.length > 0)
    throw new Error(`${name}.sql names ${unknown.join(', ')}, which ${name} does not have.`);
}
