import {
  INTROSPECTION_ROUTES,
  SIGNED_INTROSPECTION,
} from '@keywright/contract/routes/introspection';
import { REVOCATION_ROUTES } from '@keywright/contract/routes/revocation';
import { asksFor } from '../../../platform/http/accept.ts';
import { OtherFormat, preparedOf } from '../../../platform/http/replies.ts';
import { defineModule } from '../../../tenancy/module.ts';
import { bearerModule } from '../../authentication/bearer/module.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { resourcesModule } from '../resources/module.ts';
import { tokenEndpointModule } from '../token-endpoint/module.ts';
import { IntrospectionService, RevocationService } from './introspection-service.ts';

/** Introspection (RFC 7662) and revocation (RFC 7009) of tokens. */
export const introspectionModule = defineModule('introspection', (core, use) => ({
  routes(router) {
    const { clientAuthentication } = use(tokenEndpointModule);
    const { bearer } = use(bearerModule);
    const introspection = new IntrospectionService(
      core,
      clientAuthentication,
      bearer,
      use(resourcesModule).resources,
      use(signingKeysModule).jwts,
    );
    router.addAll(INTROSPECTION_ROUTES, async ({ tenant, body, headers, from }, fail) => {
      const { authorization, accept } = headers;
      const request = { tenant, parameters: body, authorization, from };
      const { introspector, status } = await introspection.introspect(request, fail);
      if (!asksFor(accept, SIGNED_INTROSPECTION)) return preparedOf(status);
      const jwt = await introspection.sign(tenant, introspector, status);
      return new OtherFormat(SIGNED_INTROSPECTION, jwt);
    });

    const revocation = new RevocationService(core.gate, clientAuthentication, bearer);
    router.addAll(REVOCATION_ROUTES, async ({ tenant, body, headers, from }, fail) => {
      const { authorization } = headers;
      await revocation.revoke({ tenant, parameters: body, authorization, from }, fail);
      return {};
    });
  },
}));
