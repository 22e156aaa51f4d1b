import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTest, listFiles } from './source-files.ts';
import { moduleOf } from './zones.ts';

interface SharedTable {
  readonly owner: string;
  /** Further features that write the table, each with the reason. */
  readonly also: Readonly<Record<string, string>>;
}

/** The tables that more than one feature writes. */
const SHARED_TABLES: Readonly<Record<string, SharedTable>> = {
  sessions: {
    owner: 'tokens/sessions',
    also: { 'tokens/grants': 'raises access_version for features below tokens' },
  },
  delegations: {
    owner: 'machines/agents',
    also: { 'tokens/grants': 'raises access_version for features below machines' },
  },
  tenants: {
    owner: 'operations/tenants',
    also: {
      'authentication/identity-providers': 'the column identity_providers',
      'branding/brand': 'the addresses of logos',
      'identity/users': 'the column foreign_hashes',
      'operations/operator': 'the issuer of an imported tenant',
    },
  },
  tenant_data_keys: {
    owner: 'operations/tenants',
    also: {
      'operations/installation': 'wraps all keys with another master key',
      'operations/operator': 'imports a tenant with its key',
    },
  },
  nodes: {
    owner: 'operations/nodes',
    also: { 'operations/operator': 'deletes the nodes of a backup' },
  },
};

/**
 * Finds tables that the stores of more than one feature write. Statements of several owners contradict each other
 * sooner or later, in what they change together and in the order of their locks.
 */
export function findSharedTables(
  root: string,
  shared: Readonly<Record<string, SharedTable>> = SHARED_TABLES,
): string[] {
  const writers = new Map<string, Set<string>>();
  for (const file of listFiles(root)) {
    const feature = moduleOf(file);
    if (feature === undefined || !file.endsWith('store.ts') || isTest(file)) continue;
    for (const table of tablesWrittenIn(readFileSync(join(root, file), 'utf8'))) {
      writers.set(table, (writers.get(table) ?? new Set()).add(feature));
    }
  }
  const tables = [...new Set([...writers.keys(), ...Object.keys(shared)])].toSorted();
  return tables.flatMap((table) => problemsOf(table, [...(writers.get(table) ?? [])], shared));
}

function problemsOf(
  table: string,
  writers: readonly string[],
  shared: Readonly<Record<string, SharedTable>>,
): string[] {
  const listed = shared[table];
  if (!listed) {
    if (writers.length < 2) return [];
    return [`${table}: ${writers.toSorted().join(' and ')} write this table`];
  }
  const allowed = [listed.owner, ...Object.keys(listed.also)];
  return [
    ...writers
      .filter((feature) => !allowed.includes(feature))
      .map((feature) => `${table}: ${feature} writes this table, which ${listed.owner} owns`),
    ...allowed
      .filter((feature) => !writers.includes(feature))
      .map(
        (feature) => `${table}: ${feature} no longer writes this table; remove it from the list`,
      ),
  ];
}

const COMMENT = /\/\*[^]*?\*\/|\/\/.*/g;
const WRITE =
  /\b(?:update|deleteFrom|insertInto|updateTable)\((?:tx, )?'(\w+)'|\b(?:INSERT INTO|DELETE FROM|UPDATE) ([a-z_]+)\b/g;

function tablesWrittenIn(text: string): string[] {
  const writes = text.replaceAll(COMMENT, '').matchAll(WRITE);
  return [...writes].flatMap(([, called, named]) => called ?? named ?? []);
}
