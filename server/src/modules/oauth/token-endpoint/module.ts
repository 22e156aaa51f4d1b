import { defineModule } from '../../../tenancy/module.ts';
import { bearerModule } from '../../authentication/bearer/index.ts';
import { journalModule } from '../../events/journal/index.ts';
import { apiKeysModule } from '../../machines/api-keys/index.ts';
import { signingKeysModule } from '../../tokens/signing-keys/index.ts';
import { statusListsModule } from '../../tokens/status-lists/index.ts';
import { bindTokenEndpoint } from './routes.ts';

export const tokenEndpointModule = defineModule('token endpoint', (core, use) => ({
  routes(router) {
    bindTokenEndpoint(router, {
      ...core,
      ...use(apiKeysModule),
      ...use(bearerModule),
      ...use(journalModule),
      ...use(signingKeysModule),
      ...use(statusListsModule),
    });
  },
}));
