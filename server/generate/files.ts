import { openApiDocument } from '@keywright/contract/openapi';
import { ROUTES } from '@keywright/contract/routes';
import { VERSION } from '../src/platform/version.ts';
import {
  auditPage,
  environmentPage,
  errorsPage,
  eventSchemas,
  eventsPage,
  routesPage,
} from '../src/modules/operations/reference/index.ts';
import { openInMemory } from '../src/platform/db/embedded.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { tablesFile } from './tables.ts';

/** The tables of a database that the migrations have just made. */
async function tables(): Promise<string> {
  const database = await openInMemory();
  try {
    await migrate(database);
    return await tablesFile(database);
  } finally {
    await database.close();
  }
}

/** The files that are made from the contract and the migrations, by their paths from the root. */
export async function serverFiles(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['server/src/platform/db/schema.ts', await tables()],
    [
      'docs/reference/openapi.json',
      `${JSON.stringify(openApiDocument(ROUTES, VERSION), null, 2)}\n`,
    ],
    ['docs/reference/routes.md', routesPage(ROUTES)],
    ['docs/reference/errors.md', errorsPage()],
    ['docs/reference/environment.md', environmentPage()],
    ['docs/reference/events.md', eventsPage()],
    ['docs/reference/events.schema.json', `${JSON.stringify(eventSchemas(), null, 2)}\n`],
    ['docs/reference/audit.md', auditPage()],
  ]);
}
