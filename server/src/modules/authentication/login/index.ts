export { bindLoginRoutes } from './routes.ts';
