export {
  createFetchSectorList,
  type FetchSectorList,
  flawsOfSector,
  isRegistered,
  redirectOriginOf,
  requireCallable,
} from './client-uris.ts';
export { isLet } from './client-documents.ts';
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
  presentClient,
  replaceClient,
  UNWRITTEN,
} from './client-store.ts';
export {
  fieldsFrom,
  judgeScopes,
  metadataOf,
  returnsTo,
  type ScopePolicy,
} from './client-metadata.ts';
export {
  findRegistration,
  hasOpenRegistrations,
  insertRegistration,
  lockRegistrations,
} from './registration-store.ts';
export { endClient, keptUntil, newSecret, writeClient } from './client-lifecycle.ts';
export { requireClient, requireFlawless, requireKnown } from './client-service.ts';
