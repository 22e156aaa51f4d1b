import * as contract from '@keywright/contract/routes/invitations';
import * as own from '@keywright/contract/routes/own-invitations';
import { listedWhole } from '../../../platform/db/page.ts';
import { defineModule } from '../../../tenancy/module.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { journalModule } from '../../events/journal/module.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { InvitationService, ReceivedInvitationService } from './invitation-service.ts';

export const RETENTION_SECONDS = 30 * DAY_SECONDS;

export const invitationsModule = defineModule('invitations', ({ gate, clock }, use) => ({
  routes(router) {
    const { queue, limits } = use(messagesModule);
    const invitations = new InvitationService(gate, clock, queue, limits);
    const receivedInvitations = new ReceivedInvitationService(gate, use(journalModule).notes);

    router.add(contract.createInvitation, ({ tenant, caller, body }, fail) =>
      invitations.create(tenant, caller, body, fail),
    );
    router.add(contract.listInvitations, ({ tenant, query }, fail) =>
      invitations.list(tenant, query, fail),
    );
    router.add(contract.getInvitation, ({ tenant, params }, fail) =>
      invitations.get(tenant, params.invitation_id, fail),
    );
    router.add(contract.deleteInvitation, async ({ tenant, caller, params }, fail) => ({
      id: await invitations.revoke(tenant, caller, params.invitation_id, fail),
      revoked: true as const,
    }));
    router.add(contract.resendInvitation, ({ tenant, caller, params }, fail) =>
      invitations.resend(tenant, caller, params.invitation_id, fail),
    );
    router.add(own.listOwnInvitations, async ({ tenant, caller, query }, fail) =>
      listedWhole(query, await receivedInvitations.list(tenant, caller), fail),
    );
    router.add(own.acceptInvitation, ({ tenant, caller, params }, fail) =>
      receivedInvitations.accept(tenant, caller, params.invitation_id, fail),
    );
    router.add(own.declineInvitation, async ({ tenant, caller, params }, fail) => ({
      id: await receivedInvitations.decline(tenant, caller, params.invitation_id, fail),
      deleted: true as const,
    }));
  },
  sweeps: [expiring('invitations', 'expires_at', RETENTION_SECONDS)],
}));
