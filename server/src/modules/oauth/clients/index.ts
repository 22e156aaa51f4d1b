export { requireOAuth } from './enabled.ts';
export { type Clients, findClientIn, hasSecret } from './known.ts';
export type { KnownClient } from './known-store.ts';
export { clientsModule } from './module.ts';
export { isRegistered } from './redirect-uris.ts';
export { hasSecrets, sectorOf } from './rules.ts';
