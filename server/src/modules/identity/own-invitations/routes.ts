import {
  acceptOwnInvitation,
  declineInvitation,
  listOwnInvitations,
} from '@keywright/contract/routes/own-invitations';
import { listedWhole } from '../../../platform/db/page.ts';
import type { Router } from '../../../tenancy/router.ts';
import { accept, decline, listOwn, type OwnInvitationDependencies } from './service.ts';

export function bindOwnInvitationRoutes(
  router: Router,
  dependencies: OwnInvitationDependencies,
): void {
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
