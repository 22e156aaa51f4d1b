export { findClientBySecret, findNamed, findNamedClient } from './known.ts';
export { clientsModule } from './module.ts';
export { isRegistered } from './redirect-uris.ts';
export { hasSecrets, sectorOf } from './rules.ts';
