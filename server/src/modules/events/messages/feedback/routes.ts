import {
  getFeedbackAddress,
  receiveFeedback,
  receiveFeedbackByIssuer,
} from '@keywright/contract/routes/feedback';
import { pathTo } from '@keywright/contract/route';
import type { Clock } from '../../../../platform/clock.ts';
import type { Egress } from '../../../../platform/egress/egress.ts';
import type { DataKeys } from '../../../../tenancy/data-keys.ts';
import type { Gate } from '../../../../tenancy/gate.ts';
import type { Router } from '../../../../tenancy/router.ts';
import { requireAsMuchAsAnyone } from '../../../identity/roles/index.ts';
import { takeFeedback } from './service.ts';
import { createSns } from './sns.ts';
import { feedbackToken } from './token.ts';

interface Dependencies {
  readonly gate: Gate;
  readonly dataKeys: DataKeys;
  readonly egress: Egress;
  readonly clock: Clock;
  readonly baseUrl: () => string;
}

export function bindFeedbackRoutes(router: Router, dependencies: Dependencies): void {
  const { gate, dataKeys, egress, clock, baseUrl } = dependencies;
  const around = { ...dependencies, sns: createSns(egress, clock) };
  router.add(getFeedbackAddress, async ({ tenant, caller }, fail) => {
    await gate.into(tenant.id).transaction((tx) => requireAsMuchAsAnyone(tx, caller, fail));
    const token = await dataKeys.use(tenant.id, (key) => feedbackToken(key, tenant.id));
    return { url: baseUrl() + pathTo(receiveFeedbackByIssuer, { tenant_id: tenant.id, token }) };
  });
  router.addAll([receiveFeedback, receiveFeedbackByIssuer], async (call, fail) => {
    const { tenant, params, body, from } = call;
    const received = { tenantId: tenant.id, from, token: params.token, body };
    return { suppressed: await takeFeedback(around, received, fail) };
  });
}
