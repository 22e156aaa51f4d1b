export { bindReferenceRoutes } from './routes.ts';
