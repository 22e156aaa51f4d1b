export { createFindActive, type FindActive } from './find-active.ts';
export { bindAuthenticationRoutes } from './routes.ts';
export { createAuthenticate, createVerifyCredential } from './service.ts';
