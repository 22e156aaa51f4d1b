export { bindSystemAccessRoutes } from './routes.ts';
