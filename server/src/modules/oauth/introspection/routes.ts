import {
  INTROSPECTION_ROUTES,
  SIGNED_INTROSPECTION,
} from '@keywright/contract/routes/introspection';
import { asksFor } from '../../../platform/http/accept.ts';
import { OtherFormat, preparedOf } from '../../../platform/http/replies.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Introspect } from './service.ts';
import type { SignIntrospection } from './signed.ts';

export function bindIntrospectionRoutes(
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
