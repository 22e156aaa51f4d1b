export { bindAuthorizationRoutes } from './routes.ts';
