import {
  deleteConsent,
  deleteOwnConsent,
  listConsents,
  listOwnConsents,
} from '@keywright/contract/routes/consents';
import { defineModule } from '../../../tenancy/module.ts';
import { ConsentService } from './consent-service.ts';

export const consentsModule = defineModule('consents', ({ gate }) => ({
  routes(router) {
    const consents = new ConsentService(gate);
    router.add(listOwnConsents, ({ tenant, caller, query }, fail) =>
      consents.list(tenant, query, { userId: caller.subject }, fail),
    );
    router.add(deleteOwnConsent, async ({ tenant, caller, params }, fail) => ({
      id: await consents.revokeOwn(tenant, caller, params.consent_id, fail),
      deleted: true as const,
    }));
    router.add(listConsents, ({ tenant, query }, fail) => {
      const filter = { userId: query.user_id, clientId: query.client_id };
      return consents.list(tenant, query, filter, fail);
    });
    router.add(deleteConsent, async ({ tenant, caller, params }, fail) => ({
      id: await consents.revoke(tenant, caller, params.consent_id, fail),
      deleted: true as const,
    }));
  },
}));
