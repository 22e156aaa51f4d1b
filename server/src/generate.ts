import { readFileSync, writeFileSync } from 'node:fs';
import { openApiDocument } from '@keywright/contract/openapi';
import { ROUTES } from '@keywright/contract/routes';
import { generate as generateTypes, PostgresDialect } from 'kysely-codegen';
import { VERSION } from './platform/version.ts';
import { environmentPage, errorsPage, routesPage } from './modules/reference/index.ts';
import { openInMemory } from './platform/db/embedded.ts';
import { migrate } from './platform/db/migrate.ts';

const ROOT = new URL('../../', import.meta.url);

/** Types of the tables, read from a database that the migrations have just made. */
async function databaseTypes(): Promise<string> {
  const database = await openInMemory();
  try {
    await migrate(database);
    return await generateTypes({
      db: database.kysely,
      dialect: new PostgresDialect(),
      outFile: null,
      excludePattern: '(kysely_*|migration_checksums)',
      typeOnlyImports: true,
    });
  } finally {
    await database.close();
  }
}

async function generated(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['server/src/platform/db/schema.ts', await databaseTypes()],
    [
      'docs/reference/openapi.json',
      `${JSON.stringify(openApiDocument(ROUTES, VERSION), null, 2)}\n`,
    ],
    ['docs/reference/routes.md', routesPage(ROUTES)],
    ['docs/reference/errors.md', errorsPage()],
    ['docs/reference/environment.md', environmentPage()],
  ]);
}

function read(file: string): string | undefined {
  try {
    return readFileSync(new URL(file, ROOT), 'utf8');
  } catch {
    return undefined;
  }
}

const isCheck = process.argv.includes('--check');
const stale = [...(await generated())].filter(([file, text]) => read(file) !== text);
if (!isCheck) for (const [file, text] of stale) writeFileSync(new URL(file, ROOT), text);
for (const [file] of stale) process.stdout.write(`${isCheck ? 'stale' : 'written'}: ${file}\n`);
if (isCheck && stale.length > 0) process.exitCode = 1;
