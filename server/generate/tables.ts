import { generate, IdentifierNode, PostgresDialect } from 'kysely-codegen';
import type { Database } from '../src/platform/db/database.ts';
import { columnTypes } from './columns.ts';
import { importsOf } from './types.ts';

/** The columns of this type are read as the stated type, and written as JSON. */
const JSON_OF = 'export type JsonOf<T> = ColumnType<T, JsonValue, JsonValue>;\n';

/** Generates server/src/platform/db/schema.ts: the types of the tables. */
export async function tablesFile(database: Database): Promise<string> {
  const { kysely } = database;
  const types = await columnTypes(database);
  const tables = await kysely.introspection.getTables();
  const columns = tables.flatMap((table) =>
    table.columns.flatMap(({ name, dataType, hasDefaultValue }) => {
      const path = `${table.name}.${name}`;
      const type = types.get(path);
      if (type === undefined) return [];
      const read = dataType === 'jsonb' ? `JsonOf<${type}>` : type;
      return [[path, new IdentifierNode(hasDefaultValue ? `Generated<${read}>` : read)] as const];
    }),
  );
  const text = await generate({
    db: kysely,
    dialect: new PostgresDialect(),
    outFile: null,
    excludePattern: '(*_checksums|schema_versions)',
    typeOnlyImports: true,
    overrides: { columns: Object.fromEntries(columns) },
  });
  const imports = [...importsOf([...types.values()].join('\n'))]
    .map(([module, names]) => `import type { ${names.join(', ')} } from "${module}";\n`)
    .toSorted()
    .join('');
  return text
    .replace('import type { ColumnType }', `${imports}import type { ColumnType }`)
    .replace('export type Timestamp', `${JSON_OF}\nexport type Timestamp`);
}
