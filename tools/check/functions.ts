import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { isSource, isTest, listFiles } from './source-files.ts';

/**
 * Finds functions in server/sql that this version never calls: neither code of the service, by a generated caller or
 * within a statement, nor a trigger, nor another function that is called. Also finds lists of columns that no called
 * function has.
 */
export function findUncalledFunctions(root: string): string[] {
  const files = listFiles(root).filter((file) => file.startsWith('server/') && !isTest(file));
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const sql = files.filter((file) => file.startsWith('server/sql/') && file.endsWith('.sql'));
  const calledBy = new Map(sql.map((file) => [file, functionsIn(withoutSqlComments(read(file)))]));
  const code = files.filter((file) => file.startsWith('server/src/') && isSource(file));
  const called = new Set(code.flatMap((file) => functionsIn(withoutComments(file, read(file)))));
  for (const file of sql.filter(isOfTriggers))
    for (const name of calledBy.get(file) ?? []) called.add(name);
  // A set also iterates over the names that are added during the iteration.
  const fileOf = new Map(sql.map((file) => [nameOf(file), file]));
  for (const name of called) {
    for (const other of calledBy.get(fileOf.get(name) ?? '') ?? []) called.add(other);
  }
  return sql
    .filter((file) => !isOfTriggers(file) && !called.has(nameOf(file)))
    .map((file) => `${file}: nothing calls this function`);
}

function isOfTriggers(file: string): boolean {
  return file.endsWith('.triggers.sql');
}

/** The name that calls a file; that of a list of columns begins with a colon (server/sql/README.md). */
function nameOf(file: string): string {
  const name = basename(file, '.sql');
  return name.endsWith('.columns') ? `:${basename(name, '.columns')}` : name;
}

function functionsIn(text: string): string[] {
  return text.match(/\bkw_\w+|(?<!:):[a-z]\w+/g) ?? [];
}

function withoutSqlComments(text: string): string {
  return text.replaceAll(/--.*/g, '');
}

function withoutComments(file: string, text: string): string {
  const { comments } = parseSync(file, text);
  return comments.reduceRight(
    (rest, { start, end }) => rest.slice(0, start) + rest.slice(end),
    text,
  );
}
