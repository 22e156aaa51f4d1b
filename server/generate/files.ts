import type { TenantId } from '@keywright/contract/ids';
import { openApiDocument } from '@keywright/contract/openapi';
import { ROUTES } from '@keywright/contract/routes';
import { metadataOf } from '../src/modules/oauth/discovery/server-metadata.ts';
import { TenantResources } from '../src/modules/oauth/resources/resource-rules.ts';
import { VERSION } from '../src/platform/version.ts';
import {
  auditPage,
  errorsPage,
  eventSchemas,
  eventsPage,
} from '../src/modules/operations/reference/reference-documents.ts';
import { openInMemory } from '../src/platform/db/embedded.ts';
import { readCatalog } from '../src/platform/db/schema-state.ts';
import type { Database } from '../src/platform/db/database.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { readSchemaFiles } from '../src/platform/db/schema-files.ts';
import { callerFiles } from './callers.ts';
import { errorPages } from './error-pages.ts';
import { placeholdersFile } from './placeholders.ts';
import { tablesFile } from './tables.ts';

/**
 * Generates the files that depend on the tables and functions of a freshly migrated database, by path from the root.
 */
async function databaseFiles(): Promise<ReadonlyMap<string, string | undefined>> {
  const database = await openInMemory();
  try {
    await migrate(database);
    return new Map([
      ['server/src/platform/db/schema.ts', await tablesFile(database)],
      ['server/sql/contract.txt', await contractFile(database)],
      ...(await callerFiles(database)),
    ]);
  } finally {
    await database.close();
  }
}

/** Only adds lines. Removing a line is left to a developer who knows that no node uses it any longer. */
async function contractFile({ kysely }: Database): Promise<string> {
  const lines = new Set([...readSchemaFiles().contract, ...(await readCatalog(kysely))]);
  return `${[...lines].toSorted().join('\n')}\n`;
}

/** Returns the metadata of the tenant in the examples. */
function openIdConfiguration(): string {
  const baseUrl = 'https://id.example.com';
  const { text } = metadataOf(
    {
      id: 'org_acme' as TenantId,
      issuer: `${baseUrl}/t/org_acme`,
      config: {
        oauth_enabled: true,
        oauth_require_pushed_requests: false,
        oauth_profile: 'none',
        oauth_registration: 'token',
        oauth_metadata_documents: 'listed',
        oauth_client_domains: ['app.example.com'],
      },
    },
    baseUrl,
    new TenantResources([]),
  );
  return `${JSON.stringify(JSON.parse(text), null, 2)}\n`;
}

/**
 * Returns the files generated from the contract, the database and the texts, by path from the root; undefined for a file to
 * delete.
 */
export async function serverFiles(): Promise<ReadonlyMap<string, string | undefined>> {
  return new Map([
    ...(await databaseFiles()),
    ['server/src/platform/texts/placeholders.ts', placeholdersFile()],
    [
      'docs/reference/openapi.json',
      `${JSON.stringify(openApiDocument(ROUTES, VERSION), null, 2)}\n`,
    ],
    ['docs/reference/openid-configuration.json', openIdConfiguration()],
    ['docs/reference/errors.md', errorsPage()],
    ...errorPages(),
    ['docs/reference/events.md', eventsPage()],
    ['docs/reference/events.schema.json', `${JSON.stringify(eventSchemas(), null, 2)}\n`],
    ['docs/reference/audit.md', auditPage()],
  ]);
}
