export { bindAuthenticationRoutes } from './routes.ts';
export { createAuthenticate, createVerifyCredential } from './service.ts';
