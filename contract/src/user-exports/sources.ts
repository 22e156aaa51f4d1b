import type { ImportedUser } from '../records/user-import.ts';
import { auth0 } from './auth0.ts';
import { betterAuth, logto, supabase } from './databases.ts';
import { firebase } from './firebase.ts';
import { keycloak } from './keycloak.ts';
import type { Source } from './source.ts';

/** The format of the API, one user per line, which the service validates. */
const ndjson: Source = {
  form: 'lines',
  convert: (record) => record as ImportedUser,
};

/** The sources, by value of the option --from. */
export const SOURCES: Readonly<Record<string, Source>> = {
  auth0,
  keycloak,
  firebase,
  supabase,
  'better-auth': betterAuth,
  logto,
  ndjson,
};
