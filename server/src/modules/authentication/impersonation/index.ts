export { bindImpersonationRoutes } from './routes.ts';
