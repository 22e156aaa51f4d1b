import { defineModule } from '../../../tenancy/module.ts';
import { bearerModule } from '../../authentication/bearer/module.ts';
import { tokenEndpointModule } from '../token-endpoint/module.ts';
import { bindRevocationRoutes } from './routes.ts';
import { createRevoke } from './service.ts';

export const revocationModule = defineModule('revocation', ({ gate }, use) => ({
  routes(router) {
    const { identify } = use(tokenEndpointModule);
    const { findIssued } = use(bearerModule);
    bindRevocationRoutes(router, createRevoke({ gate, identify, findIssued }));
  },
}));
