export {
  flawsOfSector,
  isRegistered,
  redirectOriginOf,
  requireCallable,
  type SectorLists,
} from './client-uris.ts';
export { isAllowed } from './client-documents.ts';
export {
  algorithmsOf,
  type ClientFields,
  flawsOf,
  flawsUnder,
  hasSecrets,
  isFapi2Client,
  mayLogInInApp,
  permissionsOf,
  profileOf,
  requireOAuth,
  sectorOf,
} from './client-rules.ts';
export { type Clients, findClientIn, hasSecret } from './clients.ts';
export {
  type ClientRow,
  type KnownClient,
  lockClient,
  lockClientKey,
  presentClient,
  replaceClient,
  UNWRITTEN,
} from './client-store.ts';
export {
  fieldsFrom,
  isAtHost,
  judgeScopes,
  metadataOf,
  type ScopePolicy,
} from './client-metadata.ts';
export {
  findRegistration,
  hasOpenRegistrations,
  insertRegistration,
  lockRegistrations,
} from './registration-store.ts';
export { endClient, newSecret, unusedUntil, writeClient } from './client-lifecycle.ts';
export { requireClient, requireFlawless, requireKnownScopes } from './client-checks.ts';
