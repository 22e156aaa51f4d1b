export { bindWorkspaceRoutes } from './routes.ts';
