export { createFindActive, type FindActive } from './find-active.ts';
export { bindAuthenticationRoutes } from './routes.ts';
export {
  createAuthenticate,
  createReadToken,
  createVerifyCredential,
  createVerifyToken,
  type VerifyToken,
} from './service.ts';
