import { impersonate } from '@keywright/contract/routes/auth';
import {
  startImpersonation,
  endImpersonation,
  listImpersonations,
} from '@keywright/contract/routes/impersonations';
import { defineModule } from '../../../tenancy/module.ts';
import { expiring } from '../../../tenancy/sweep-store.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { statusListsModule } from '../../tokens/status-lists/module.ts';
import { bearerModule } from '../bearer/module.ts';
import { ImpersonationService } from './impersonation-service.ts';

export const impersonationModule = defineModule('impersonation', (core, use) => {
  const { keys } = use(signingKeysModule);
  const { bits } = use(statusListsModule);
  const { bearer } = use(bearerModule);
  const impersonations = new ImpersonationService(core, keys, bits, bearer);
  return {
    offer: { impersonations },
    sweeps: [expiring('impersonations', 'expires_at')],
    routes(router) {
      router.add(impersonate, ({ caller, body }, fail) =>
        impersonations.issueToken(caller, body, fail),
      );
      router.add(listImpersonations, ({ caller }) => impersonations.list(caller));
      router.add(startImpersonation, ({ caller, params, body }, fail) =>
        impersonations.start(caller, { tenantId: params.tenant_id, ...body }, fail),
      );
      router.add(endImpersonation, async ({ caller, params }, fail) => ({
        id: await impersonations.end(caller, params.tenant_id, fail),
        deleted: true as const,
      }));
    },
  };
});
