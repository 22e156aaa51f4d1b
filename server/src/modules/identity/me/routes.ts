import { getMe } from '@keywright/contract/routes/me';
import type { Gate } from '../../../tenancy/gate.ts';
import { preparedOf } from '../../../platform/http/replies.ts';
import type { Router } from '../../../tenancy/router.ts';
import { getAgentById } from '../../machines/agents/index.ts';
import type { GetUserById } from '../users/index.ts';

/** Who the credential speaks for: for an agent that acts for a user, the user. */
export function bindMeRoutes(router: Router, gate: Gate, getUserById: GetUserById): void {
  router.add(getMe, async ({ tenant, caller: { claimed: caller } }, fail) => {
    if (caller.kind === 'impersonator') return fail('IMPERSONATION_REFUSED');
    // What is authenticated is there: the row can only be gone if it was deleted this instant.
    const gone = () => fail('TOKEN_INVALID');
    if (caller.kind === 'agent') {
      const { record } = caller;
      return preparedOf(record ?? (await getAgentById(gate.into(tenant.id), caller.subject, gone)));
    }
    return preparedOf(await getUserById(tenant.id, caller.subject, gone));
  });
}
