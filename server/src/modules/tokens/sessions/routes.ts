import { logout, refresh } from '@keywright/contract/routes/auth';
import { deleteSession, deleteSessions, listSessions } from '@keywright/contract/routes/sessions';
import type { Clock } from '../../../platform/clock.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Router } from '../../../tenancy/router.ts';
import { listSessionsFor } from './list.ts';
import type { Refresh } from './rotation.ts';
import { throttled } from './throttled.ts';
import { logOut, revokeSession, revokeSessionsOf } from './service.ts';

export function bindSessionRoutes(router: Router, gate: Gate, clock: Clock, trade: Refresh): void {
  const tradeUnlessThrottled = throttled(trade, gate, clock);
  router.add(refresh, ({ tenant, body, from }, fail) =>
    tradeUnlessThrottled(tenant, { token: body.refresh_token, from, clientId: null }, fail),
  );

  router.add(logout, async ({ tenant, caller }) => {
    await logOut(gate.into(tenant.id), caller);
    return { session_id: caller.sessionId, revoked: true as const };
  });

  router.add(listSessions, ({ tenant, caller, query }, fail) =>
    listSessionsFor(gate.into(tenant.id), caller, query, clock.now(), fail),
  );

  router.add(deleteSession, async ({ tenant, caller, params }, fail) => ({
    id: await revokeSession(gate.into(tenant.id), caller, params.session_id, fail),
    deleted: true as const,
  }));

  router.add(deleteSessions, async ({ tenant, caller, query }, fail) => ({
    user_id: query.user_id,
    revoked: await revokeSessionsOf(gate.into(tenant.id), caller, query.user_id, fail),
  }));
}
