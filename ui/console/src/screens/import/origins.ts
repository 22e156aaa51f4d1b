import { SOURCES } from '@keywright/contract/user-exports/sources';
import type { Source } from '@keywright/contract/user-exports/source';
import { type Mapping, sourceOfColumns } from './columns.ts';

/** Not a product: its columns are chosen. */
export const COLUMNS = 'columns';
/** The format of the API. */
export const LINES = 'ndjson';
const PRODUCTS: Readonly<Record<string, string>> = {
  auth0: 'Auth0',
  keycloak: 'Keycloak',
  firebase: 'Firebase',
  supabase: 'Supabase',
  'better-auth': 'Better Auth',
  logto: 'Logto',
};

/** What a file can be exported from, by the name in the address: products by their own name. */
export const ORIGINS: readonly { readonly id: string; readonly product?: string | undefined }[] = [
  ...Object.keys(SOURCES).map((id) => ({ id, product: PRODUCTS[id] })),
  { id: COLUMNS },
];

export function sourceOf(origin: string, mapping: Mapping): Source {
  return SOURCES[origin] ?? sourceOfColumns(mapping);
}
