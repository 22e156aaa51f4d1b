import * as contract from '@keywright/contract/routes/registration';
import * as tokens from '@keywright/contract/routes/registration-tokens';
import { defineModule } from '../../../tenancy/module.ts';
import { expiring } from '../../../tenancy/sweep-store.ts';
import { bearerModule } from '../../authentication/bearer/module.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { clientsModule } from '../clients/module.ts';
import { resourcesModule } from '../resources/module.ts';
import { RegistrationManagement } from './registration-management.ts';
import { RegistrationService } from './registration-service.ts';
import { RegistrationTokenService } from './registration-tokens.ts';

/** How long administrators see an expired token. */
const RETAINED_SECONDS = 30 * 86_400;

export const registrationModule = defineModule('registration', (core, use) => ({
  sweeps: [expiring('registration_tokens', 'expires_at', RETAINED_SECONDS)],
  routes(router) {
    const { bearer } = use(bearerModule);
    const { applicationKeys } = use(signingKeysModule);
    const { resources } = use(resourcesModule);
    const { sectorLists } = use(clientsModule);
    const service = new RegistrationService(core, bearer, applicationKeys, resources, sectorLists);
    router.addAll(contract.REGISTER_ROUTES, ({ tenant, credential, from, body: metadata }, fail) =>
      service.register({ tenant, credential, from }, metadata, fail),
    );

    const management = new RegistrationManagement(core, applicationKeys, resources, sectorLists);
    router.addAll(
      contract.READ_REGISTRATION_ROUTES,
      ({ params: { client_id: clientId }, tenant, credential, from }, fail) =>
        management.read({ tenant, clientId, credential, from }, fail),
    );
    router.addAll(
      contract.CHANGE_REGISTRATION_ROUTES,
      ({ params: { client_id: clientId }, tenant, credential, from, body }, fail) =>
        management.replace({ tenant, clientId, credential, from }, body, fail),
    );
    router.addAll(
      contract.DELETE_REGISTRATION_ROUTES,
      async ({ params: { client_id: clientId }, tenant, credential, from }, fail) => {
        await management.remove({ tenant, clientId, credential, from }, fail);
        return undefined;
      },
    );

    const tokenService = new RegistrationTokenService(core.gate, core.clock);
    router.add(tokens.listRegistrationTokens, ({ tenant, query }, fail) =>
      tokenService.list(tenant, query, fail),
    );
    router.add(tokens.createRegistrationToken, ({ tenant, caller, body, repeatable }, fail) =>
      tokenService.create(tenant, { caller, repeatable }, body, fail),
    );
    router.add(tokens.deleteRegistrationToken, async ({ tenant, caller, params }, fail) => ({
      id: await tokenService.remove(tenant, caller, params.token_id, fail),
      deleted: true as const,
    }));
  },
}));
