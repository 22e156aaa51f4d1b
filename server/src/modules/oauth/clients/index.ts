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
  UNWRITTEN,
  findRegistration,
  hasOpenRegistrations,
  insertRegistration,
  lockClient,
  lockClientKey,
  lockRegistrations,
  presentClient,
  replaceClient,
} from './client-store.ts';
export {
  fieldsFrom,
  isAtHost,
  judgeScopes,
  metadataOf,
  type ScopePolicy,
} from './client-metadata.ts';
export { endClient, newSecret, unusedUntil, writeClient } from './client-lifecycle.ts';
export { requireClient, requireFlawless, requireKnownScopes } from './client-service.ts';
