import * as contract from '@keywright/contract/routes/registration';
import * as tokens from '@keywright/contract/routes/registration-tokens';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { expiring } from '../../../tenancy/sweep-store.ts';
import { bearerModule } from '../../authentication/bearer/module.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { createFetchSectorList } from '../clients/index.ts';
import { resourcesModule } from '../resources/module.ts';
import {
  deleteRegistration,
  readRegistration,
  updateRegistration,
} from './registration-management.ts';
import { register, type RegistrationDependencies } from './registration-service.ts';
import { createToken, listTokens, removeToken } from './registration-tokens.ts';

/** For so long administrators see what a token was. */
const KEPT_SECONDS = 30 * 86_400;

export const registrationModule = defineModule('registration', (core, use) => ({
  sweeps: [expiring('registration_tokens', 'expires_at', KEPT_SECONDS)],
  routes(router) {
    const { bearer } = use(bearerModule);
    const { publishKeys } = use(signingKeysModule);
    const { findResources } = use(resourcesModule);
    const fetchSectorList = createFetchSectorList(core.egress);
    const means = { bearer, publishKeys, findResources, fetchSectorList };
    bindRegistrationRoutes(router, { ...core, ...means });
  },
}));

function bindRegistrationRoutes(router: Router, dependencies: RegistrationDependencies): void {
  const { gate, clock } = dependencies;
  router.addAll(contract.REGISTER_ROUTES, ({ tenant, credential, from, body: metadata }, fail) =>
    register(dependencies, { tenant, credential, from, metadata }, fail),
  );
  const reading = contract.READ_REGISTRATION_ROUTES;
  router.addAll(reading, ({ params: { client_id: clientId }, ...asked }, fail) =>
    readRegistration(dependencies, { ...asked, clientId }, fail),
  );
  const changing = contract.CHANGE_REGISTRATION_ROUTES;
  router.addAll(changing, ({ params: { client_id: clientId }, body, ...asked }, fail) =>
    updateRegistration(dependencies, { ...asked, clientId }, body, fail),
  );
  const deleting = contract.DELETE_REGISTRATION_ROUTES;
  router.addAll(deleting, async ({ params: { client_id: clientId }, ...asked }, fail) => {
    await deleteRegistration(dependencies, { ...asked, clientId }, fail);
    return undefined;
  });

  router.add(tokens.listRegistrationTokens, ({ tenant, query }, fail) =>
    listTokens(gate.into(tenant.id), query, fail),
  );
  router.add(tokens.createRegistrationToken, ({ tenant, caller, body, repeatable }, fail) =>
    createToken(gate.into(tenant.id), { caller, now: clock.now(), repeatable }, body, fail),
  );
  router.add(tokens.deleteRegistrationToken, async ({ tenant, caller, params }, fail) => ({
    id: await removeToken(gate.into(tenant.id), caller, params.token_id, fail),
    deleted: true as const,
  }));
}
