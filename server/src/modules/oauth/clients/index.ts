export { clientsModule } from './module.ts';
export { isRegistered } from './redirect-uris.ts';
