import {
  deleteConsent,
  deleteOwnConsent,
  listConsents,
  listOwnConsents,
} from '@keywright/contract/routes/consents';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { expiring } from '../../../tenancy/sweep-store.ts';
import { proofsModule } from '../../tokens/proofs/module.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { clientsModule } from '../clients/module.ts';
import { AuthorizationCodes, Seals } from './authorization-codes.ts';
import { ConsentService } from './consent-service.ts';
import { DeviceGrants, UserCodeGuesses } from './device-grant-service.ts';
import { PushedRequests } from './pushed-requests.ts';

/** How long a device can learn that its code has expired. Afterward, the code is unknown. */
const DEVICE_RETENTION_SECONDS = 3600;

/** What users grant to clients: consents, authorization codes, pushed requests and device grants. */
export const grantsModule = defineModule('oauth grants', ({ gate, clock }, use) => {
  const { auditKeys } = use(signingKeysModule).keys;
  const seals = new Seals(auditKeys);
  return {
    offer: {
      seals,
      codes: new AuthorizationCodes(seals),
      pushedRequests: new PushedRequests(
        gate,
        clock,
        seals,
        use(clientsModule).clients,
        use(proofsModule).spentStatements,
      ),
      deviceGrants: new DeviceGrants(gate, clock, auditKeys),
      userCodeGuesses: new UserCodeGuesses(gate, clock),
    },
    routes: (router) => bindConsentRoutes(router, new ConsentService(gate)),
    sweeps: [
      expiring('pushed_requests', 'expires_at'),
      expiring('device_grants', 'expires_at', DEVICE_RETENTION_SECONDS),
    ],
  };
});

function bindConsentRoutes(router: Router, consents: ConsentService): void {
  router.add(listOwnConsents, ({ tenant, caller, query }, fail) =>
    consents.list(tenant, query, { userId: caller.subject }, fail),
  );
  router.add(deleteOwnConsent, async ({ tenant, caller, params }, fail) => ({
    id: await consents.revokeOfUser(tenant, caller, params.consent_id, fail),
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
}
