import { defineModule } from '../../../tenancy/module.ts';
import { journalModule } from '../../events/journal/module.ts';
import { bindOwnInvitationRoutes } from './routes.ts';

export const ownInvitationsModule = defineModule('own-invitations', (core, use) => ({
  routes: (router) => bindOwnInvitationRoutes(router, { ...core, ...use(journalModule) }),
}));
