export { requireCallable } from './called.ts';
export { isLet } from './document.ts';
export { requireOAuth } from './enabled.ts';
export { type Clients, findClientIn, hasSecret } from './known.ts';
export { type KnownClient, UNWRITTEN } from './known-store.ts';
export { fieldsFrom, metadataOf, returnsTo } from './metadata.ts';
export { presentClient } from './present.ts';
export { flawsUnder, isFapi2Client, profileOf } from './profile.ts';
export { isRegistered, redirectOriginOf } from './redirect-uris.ts';
export {
  findRegistration,
  hasOpenRegistrations,
  insertRegistration,
  lockRegistrations,
} from './registration-store.ts';
export type { ClientFields } from './fields.ts';
export {
  algorithmsOf,
  flawsOf,
  hasSecrets,
  mayLogInInApp,
  permissionsOf,
  sectorOf,
} from './rules.ts';
export { judgeScopes, type ScopePolicy } from './scopes.ts';
export { newSecret } from './secret.ts';
export { createFetchSectorList, type FetchSectorList, flawsOfSector } from './sector.ts';
export { requireClient, requireFlawless, requireKnown } from './service.ts';
export { type ClientRow, lockClient, replaceClient } from './store.ts';
export { endClient, KEPT_MS, keptUntil, writeClient } from './written.ts';
