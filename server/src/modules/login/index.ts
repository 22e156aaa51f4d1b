export { bindLoginRoutes } from './routes.ts';
export { createLogIn } from './service.ts';
