import {
  createInvitation,
  deleteInvitation,
  getInvitation,
  listInvitations,
  resendInvitation,
} from '@keywright/contract/routes/invitations';
import type { Router } from '../../../tenancy/router.ts';
import { listInvitationsPage } from './list.ts';
import {
  getInvitationById,
  type InvitationDependencies,
  invite,
  resend,
  revoke,
} from './service.ts';

export function bindInvitationRoutes(router: Router, dependencies: InvitationDependencies): void {
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
