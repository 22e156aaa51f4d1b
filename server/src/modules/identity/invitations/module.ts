import {
  createInvitation,
  deleteInvitation,
  getInvitation,
  listInvitations,
  resendInvitation,
} from '@keywright/contract/routes/invitations';
import {
  acceptOwnInvitation,
  declineInvitation,
  listOwnInvitations,
} from '@keywright/contract/routes/own-invitations';
import { listedWhole } from '../../../platform/db/page.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { journalModule } from '../../events/journal/module.ts';
import { messagesModule } from '../../events/messages/module.ts';
import {
  listInvitationsPage,
  getInvitationById,
  type InvitationDependencies,
  invite,
  resend,
  revoke,
} from './invitation-service.ts';
import {
  accept,
  decline,
  listOwn,
  type OwnInvitationDependencies,
} from './own-invitation-service.ts';

function bindInvitationRoutes(router: Router, dependencies: InvitationDependencies): void {
  const { gate, clock } = dependencies;
  router.add(createInvitation, ({ tenant, caller, body }, fail) =>
    invite(dependencies, tenant, caller, body, fail),
  );
  router.add(listInvitations, ({ tenant, query }, fail) =>
    listInvitationsPage(gate.into(tenant.id), query, clock.now(), fail),
  );
  router.add(getInvitation, ({ tenant, params }, fail) =>
    getInvitationById(dependencies, tenant, params.invitation_id, fail),
  );
  router.add(deleteInvitation, async ({ tenant, caller, params }, fail) => ({
    id: await revoke(dependencies, tenant, caller, params.invitation_id, fail),
    revoked: true as const,
  }));
  router.add(resendInvitation, ({ tenant, caller, params }, fail) =>
    resend(dependencies, tenant, caller, params.invitation_id, fail),
  );
}

function bindOwnInvitationRoutes(router: Router, dependencies: OwnInvitationDependencies): void {
  router.add(listOwnInvitations, async ({ tenant, caller, query }, fail) =>
    listedWhole(query, await listOwn(dependencies, tenant, caller), fail),
  );
  router.add(acceptOwnInvitation, ({ tenant, caller, params }, fail) =>
    accept(dependencies, tenant, caller, params.invitation_id, fail),
  );
  router.add(declineInvitation, async ({ tenant, caller, params }, fail) => ({
    id: await decline(dependencies, tenant, caller, params.invitation_id, fail),
    deleted: true as const,
  }));
}

const KEPT_SECONDS = 30 * DAY_SECONDS;

export const invitationsModule = defineModule('invitations', (core, use) => ({
  routes(router) {
    bindInvitationRoutes(router, { ...core, ...use(messagesModule) });
    bindOwnInvitationRoutes(router, { ...core, ...use(journalModule) });
  },
  sweeps: [expiring('invitations', 'expires_at', KEPT_SECONDS)],
}));
