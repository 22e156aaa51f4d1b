export { clientsModule } from './module.ts';
export { isRegistered } from './redirect-uris.ts';
export { sectorOf } from './rules.ts';
