import { defineModule } from '../../../tenancy/module.ts';
import { bearerModule } from '../../authentication/bearer/module.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { resourcesModule } from '../resources/module.ts';
import { bindRevocationRoutes } from '../revocation/routes.ts';
import { createRevoke } from '../revocation/service.ts';
import { tokenEndpointModule } from '../token-endpoint/module.ts';
import { bindIntrospectionRoutes } from './routes.ts';
import { createIntrospect } from './service.ts';
import { createSignIntrospection } from './signed.ts';

export const introspectionModule = defineModule('introspection', ({ gate, clock }, use) => ({
  routes(router) {
    const { identify } = use(tokenEndpointModule);
    const bearer = use(bearerModule);
    const introspect = createIntrospect({
      gate,
      clock,
      identify,
      ...bearer,
      ...use(resourcesModule),
    });
    const { signJwt } = use(signingKeysModule);
    bindIntrospectionRoutes(router, introspect, createSignIntrospection(signJwt, clock));
    bindRevocationRoutes(router, createRevoke({ gate, identify, findIssued: bearer.findIssued }));
  },
}));
