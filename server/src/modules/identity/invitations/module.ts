import { defineModule } from '../../../tenancy/module.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { bindInvitationRoutes } from './routes.ts';

const KEPT_SECONDS = 30 * DAY_SECONDS;

export const invitationsModule = defineModule('invitations', (core, use) => ({
  routes: (router) => bindInvitationRoutes(router, { ...core, ...use(messagesModule) }),
  sweeps: [expiring('invitations', 'expires_at', KEPT_SECONDS)],
}));
