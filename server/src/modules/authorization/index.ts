export { createDecide } from './decide.ts';
export { bindAuthorizationRoutes } from './routes.ts';
