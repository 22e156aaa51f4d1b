import { defineModule } from '../../../tenancy/module.ts';
import { idempotencyModule } from '../../operations/idempotency/index.ts';
import { bindWorkspaceRoutes } from './routes.ts';

export const workspacesModule = defineModule('workspaces', ({ gate, clock }, use) => ({
  routes: (router) =>
    bindWorkspaceRoutes(router, gate, use(idempotencyModule).readRepeatable, clock),
}));
