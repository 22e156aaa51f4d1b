export { bindMeRoutes } from './routes.ts';
