import { defineModule } from '../../../tenancy/module.ts';
import { bindWorkspaceRoutes } from './routes.ts';

export const workspacesModule = defineModule('workspaces', ({ gate, clock }) => ({
  routes: (router) => bindWorkspaceRoutes(router, gate, clock),
}));
