import {
  deleteConsent,
  deleteOwnConsent,
  listConsents,
  listOwnConsents,
} from '@keywright/contract/routes/consents';
import type { Gate } from '../../../tenancy/gate.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import {
  listConsentsFor,
  listConsentsPage,
  revokeConsent,
  takeBackConsent,
} from './consent-service.ts';

export const consentsModule = defineModule('consents', ({ gate }) => ({
  routes: (router) => bindConsentRoutes(router, gate),
}));

function bindConsentRoutes(router: Router, gate: Gate): void {
  router.add(listOwnConsents, ({ tenant, caller, query }, fail) =>
    listConsentsPage(gate.into(tenant.id), query, { userId: caller.subject }, fail),
  );
  router.add(deleteOwnConsent, async ({ tenant, caller, params }, fail) => ({
    id: await takeBackConsent(gate.into(tenant.id), caller, params.consent_id, fail),
    deleted: true as const,
  }));
  router.add(listConsents, ({ tenant, query }, fail) =>
    listConsentsFor(gate.into(tenant.id), query, fail),
  );
  router.add(deleteConsent, async ({ tenant, caller, params }, fail) => ({
    id: await revokeConsent(gate.into(tenant.id), caller, params.consent_id, fail),
    deleted: true as const,
  }));
}
