import { defineModule } from '../../../tenancy/module.ts';
import { expiring } from '../../../tenancy/sweep-store.ts';
import { bearerModule } from '../../authentication/bearer/module.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { createFetchSectorList } from '../clients/index.ts';
import { resourcesModule } from '../resources/module.ts';
import { bindRegistrationRoutes } from './routes.ts';

/** For so long administrators see what a token was. */
const KEPT_SECONDS = 30 * 86_400;

export const registrationModule = defineModule('registration', (core, use) => ({
  sweeps: [expiring('registration_tokens', 'expires_at', KEPT_SECONDS)],
  routes(router) {
    const { authenticate } = use(bearerModule);
    const { publishKeys } = use(signingKeysModule);
    const { findResources } = use(resourcesModule);
    const fetchSectorList = createFetchSectorList(core.egress);
    const means = { authenticate, publishKeys, findResources, fetchSectorList };
    bindRegistrationRoutes(router, { ...core, ...means });
  },
}));
