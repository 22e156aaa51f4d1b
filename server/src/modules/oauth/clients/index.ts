export {
  type ClientFields,
  algorithmsOf,
  flawsOf,
  flawsUnder,
  hasSecrets,
  isAllowed,
  isFapi2Client,
  matchesRedirectUri,
  mayLogInInApp,
  permissionsOf,
  profileOf,
  redirectOriginOf,
  requireCallable,
  requireOAuth,
  sectorOf,
} from './client-rules.ts';
export { flawsOfSector, type SectorLists } from './client-documents.ts';
export { type Clients, findClientIn, hasSecret } from './clients.ts';
export {
  type ClientRow,
  type LoadedClient,
  UNWRITTEN,
  findRegistration,
  hasOpenRegistrations,
  insertRegistration,
  lockClient,
  lockClientKey,
  lockRegistrations,
  presentClient,
  replaceClient,
  serializeClientChanges,
} from './client-store.ts';
export {
  fieldsFrom,
  isAtHost,
  judgeScopes,
  metadataOf,
  type ScopePolicy,
} from './client-metadata.ts';
export { endClient, newSecret, unusedUntil, writeClient } from './client-lifecycle.ts';
export { requireClient, requireFlawless, requireExistingScopes } from './client-service.ts';
