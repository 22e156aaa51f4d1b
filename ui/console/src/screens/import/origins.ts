import { SOURCES } from '@keywright/contract/user-exports/sources';
import type { Source } from '@keywright/contract/user-exports/source';
import { type Mapping, sourceOfColumns } from './columns.ts';

/** Not a product: the user maps its columns. */
export const COLUMNS = 'columns';
/** The API's own format. */
export const LINES = 'ndjson';
const PRODUCTS: Readonly<Record<string, string>> = {
  auth0: 'Auth0',
  keycloak: 'Keycloak',
  firebase: 'Firebase',
  supabase: 'Supabase',
  'better-auth': 'Better Auth',
  logto: 'Logto',
};

/** The origins of a file, by their name in the URL. Products have their own names. */
export const ORIGINS: readonly { readonly id: string; readonly product?: string | undefined }[] = [
  ...Object.keys(SOURCES).map((id) => ({ id, product: PRODUCTS[id] })),
  { id: COLUMNS },
];

export function sourceOf(origin: string, mapping: Mapping): Source {
  return SOURCES[origin] ?? sourceOfColumns(mapping);
}
