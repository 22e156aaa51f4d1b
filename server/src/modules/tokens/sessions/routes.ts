import { logout } from '@keywright/contract/routes/auth';
import { deleteSession, deleteSessions, listSessions } from '@keywright/contract/routes/sessions';
import type { Clock } from '../../../platform/clock.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Router } from '../../../tenancy/router.ts';
import { listSessionsFor } from './list.ts';
import { logOut, revokeSession, revokeSessionsOf } from './service.ts';

export function bindSessionRoutes(router: Router, gate: Gate, clock: Clock): void {
  router.add(logout, async ({ tenant, caller }) => {
    await gate.into(tenant.id).transaction((tx) => logOut(tx, caller));
    return { session_id: caller.sessionId, revoked: true as const };
  });

  router.add(listSessions, ({ tenant, caller, query }, fail) =>
    listSessionsFor(gate.into(tenant.id), caller, query, clock.now(), fail),
  );

  router.add(deleteSession, async ({ tenant, caller, params }, fail) => ({
    id: await revokeSession(gate.into(tenant.id), caller, params.session_id, fail),
    revoked: true as const,
  }));

  router.add(deleteSessions, async ({ tenant, caller, query }, fail) => ({
    user_id: query.user_id,
    revoked: await revokeSessionsOf(gate.into(tenant.id), caller, query.user_id, fail),
  }));
}
