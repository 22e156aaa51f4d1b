import { generate, IdentifierNode, PostgresDialect } from 'kysely-codegen';
import type { Database } from '../src/platform/db/database.ts';
import { idTypeOf } from './ids.ts';

/** The types of the tables, their ids branded: the text of server/src/platform/db/schema.ts. */
export async function tablesFile({ kysely }: Database): Promise<string> {
  const tables = await kysely.introspection.getTables();
  const ids = tables.flatMap((table) =>
    table.columns.flatMap((column) => {
      const type = idTypeOf(table.name, column.name);
      return type === undefined ? [] : [{ path: `${table.name}.${column.name}`, type }];
    }),
  );
  return generate({
    db: kysely,
    dialect: new PostgresDialect(),
    outFile: null,
    excludePattern: '(*_checksums|schema_versions)',
    typeOnlyImports: true,
    customImports: Object.fromEntries(ids.map(({ type }) => [type, '@keywright/contract/ids'])),
    overrides: {
      columns: Object.fromEntries(ids.map(({ path, type }) => [path, new IdentifierNode(type)])),
    },
  });
}
