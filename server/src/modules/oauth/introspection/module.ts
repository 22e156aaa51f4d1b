import {
  INTROSPECTION_ROUTES,
  SIGNED_INTROSPECTION,
} from '@keywright/contract/routes/introspection';
import { REVOCATION_ROUTES } from '@keywright/contract/routes/revocation';
import { asksFor } from '../../../platform/http/accept.ts';
import { OtherFormat, preparedOf } from '../../../platform/http/replies.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { bearerModule } from '../../authentication/bearer/module.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { resourcesModule } from '../resources/module.ts';
import { tokenEndpointModule } from '../token-endpoint/module.ts';
import {
  createIntrospect,
  createSignIntrospection,
  type Introspect,
  type SignIntrospection,
} from './introspection-service.ts';
import { createRevoke, type Revoke } from './revocation-service.ts';

export const introspectionModule = defineModule('introspection', ({ gate, clock }, use) => ({
  routes(router) {
    const { identify } = use(tokenEndpointModule);
    const { bearer } = use(bearerModule);
    const introspect = createIntrospect({
      gate,
      clock,
      identify,
      bearer,
      ...use(resourcesModule),
    });
    const { signJwt } = use(signingKeysModule);
    bindIntrospectionRoutes(router, introspect, createSignIntrospection(signJwt, clock));
    bindRevocationRoutes(router, createRevoke({ gate, identify, bearer }));
  },
}));

function bindIntrospectionRoutes(
  router: Router,
  introspect: Introspect,
  sign: SignIntrospection,
): void {
  router.addAll(INTROSPECTION_ROUTES, async ({ tenant, body, headers, from }, fail) => {
    const { authorization, accept } = headers;
    const { asker, status } = await introspect(
      { tenant, parameters: body, authorization, from },
      fail,
    );
    if (!asksFor(accept, SIGNED_INTROSPECTION)) return preparedOf(status);
    return new OtherFormat(SIGNED_INTROSPECTION, await sign(tenant, asker, status));
  });
}

function bindRevocationRoutes(router: Router, revoke: Revoke): void {
  router.addAll(REVOCATION_ROUTES, async ({ tenant, body, headers, from }, fail) => {
    const { authorization } = headers;
    await revoke({ tenant, parameters: body, authorization, from }, fail);
    return {};
  });
}
