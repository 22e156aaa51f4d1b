import type { Fail } from '@keywright/contract/errors';
import type { BegunFlow } from '@keywright/contract/records/login-flow';
import type { BodyOf } from '@keywright/contract/route';
import {
  beginFlow,
  cancelFlow,
  getFlow,
  repeatTokens,
} from '@keywright/contract/routes/login-flows';
import type { Clock } from '../../../platform/clock.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { requireIdentifier } from '../../identity/users/index.ts';
import { flowSubject, requireRoomOfAddress } from '../attempts/index.ts';
import { offersPasskeys } from '../passkeys/index.ts';
import type { Challenges } from '../challenges/index.ts';
import { BEGIN_LIMITS } from './rules.ts';
import type { Device } from './completion.ts';
import type { Flows } from './service.ts';

const TOKEN_HEADER = 'x-flow-token';
const ROOM = { subjectOf: flowSubject, limits: BEGIN_LIMITS };

interface Dependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly flows: Flows;
  readonly challenges: Challenges;
}

export function bindFlowRoutes(router: Router, dependencies: Dependencies): void {
  const { flows } = dependencies;
  router.add(beginFlow, async ({ tenant, body, from, userAgent }, fail) => {
    const given = givenBy(tenant, body, fail);
    await requireRoomOfAddress(dependencies, tenant, from, ROOM, fail);
    const device = { from, userAgent };
    return 'link' in given
      ? continueFlow(dependencies, tenant, given.link, device, fail)
      : flows.begin(tenant, { ...given, userAgent });
  });
  router.add(getFlow, async ({ tenant, params, headers }, fail) => {
    const token = headers[TOKEN_HEADER];
    const given = typeof token === 'string' ? token : undefined;
    return { flow: await flows.read(tenant, params.flow_id, given, fail) };
  });
  router.add(repeatTokens, ({ tenant, params, body }, fail) =>
    flows.tokens(tenant, params.flow_id, body.flow_token, fail),
  );
  router.add(cancelFlow, async ({ tenant, params, body }, fail) => ({
    flow: await flows.cancel(tenant, params.flow_id, body.flow_token, fail),
  }));
}

/** What a flow begins with: an identifier, or a link that was opened elsewhere. */
function givenBy(tenant: Tenant, body: BodyOf<typeof beginFlow>, fail: Fail<'VALIDATION_FAILED'>) {
  const { purpose = 'login', workspace_id: workspaceId, register: registers, locale, acr } = body;
  if (body.continue === undefined) {
    // A passkey tells whose login it is.
    const isOpen = body.identifier === undefined && purpose === 'login' && offersPasskeys(tenant);
    const identifier = isOpen
      ? ''
      : requireIdentifier(body.identifier ?? '', '/identifier', fail).identifier;
    return { purpose, identifier, workspaceId, registers, locale, acr };
  }
  if (body.identifier === undefined) return { link: body.continue };
  const message = 'stands in place of identifier';
  return fail('VALIDATION_FAILED', { errors: [{ path: '/continue', message }] });
}

/** A flow that needs the code of the same message: opening a link elsewhere proves nothing, and uses nothing up. */
async function continueFlow(
  { flows, challenges }: Dependencies,
  tenant: Tenant,
  linkToken: string,
  { userAgent }: Device,
  fail: Fail<'FLOW_ENDED'>,
): Promise<BegunFlow> {
  const link = (await challenges.find(tenant, linkToken)) ?? fail('FLOW_ENDED');
  const begun = await flows.begin(tenant, {
    purpose: link.purpose,
    identifier: link.identifier,
    workspaceId: link.workspaceId,
    registers: link.registers,
    locale: link.locale,
    continues: link.flowId,
    userAgent,
  });
  const origin = { begun_at: link.begunAt.toISOString(), user_agent: link.userAgent };
  return { ...begun, origin };
}
