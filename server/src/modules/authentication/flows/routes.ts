import { beginFlow, cancelFlow, getFlow } from '@keywright/contract/routes/login-flows';
import type { Clock } from '../../../platform/clock.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Router } from '../../../tenancy/router.ts';
import { requireIdentifier } from '../../identity/users/index.ts';
import { countAttempt, flowSubject, rateLimitOf } from '../attempts/index.ts';
import { BEGIN_LIMITS } from './rules.ts';
import type { Flows } from './service.ts';

const TOKEN_HEADER = 'x-flow-token';

export function bindFlowRoutes(router: Router, gate: Gate, clock: Clock, flows: Flows): void {
  router.add(beginFlow, async ({ tenant, body, from }, fail) => {
    const { identifier } = requireIdentifier(body.identifier, '/identifier', fail);
    const wait = from.isShared
      ? undefined
      : await countAttempt(
          gate.into(tenant.id),
          BEGIN_LIMITS,
          flowSubject(from.address),
          clock.now(),
        );
    if (wait !== undefined) {
      const limits = [rateLimitOf('address', BEGIN_LIMITS)];
      return fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds: wait, limits });
    }
    const { purpose = 'login', workspace_id: workspaceId } = body;
    return flows.begin(tenant, { purpose, identifier, workspaceId });
  });
  router.add(getFlow, async ({ tenant, params, headers }, fail) => {
    const token = headers[TOKEN_HEADER];
    const given = typeof token === 'string' ? token : undefined;
    return { flow: await flows.read(tenant, params.flow_id, given, fail) };
  });
  router.add(cancelFlow, async ({ tenant, params, body }, fail) => ({
    flow: await flows.cancel(tenant, params.flow_id, body.flow_token, fail),
  }));
}
