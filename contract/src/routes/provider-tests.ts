import Type from 'typebox';
import { IdentityProviderIdSchema, pathId } from '../ids.ts';
import { ProviderTest } from '../records/provider-test.ts';
import { API_BASE, FOR_LOGINS, route } from '../route.ts';
import { closed } from '../shape.ts';
import { Handoff, UpstreamRequest } from './upstream-logins.ts';

const BASE = `${API_BASE}/identity-providers/:provider_id/test` as const;
const params = Type.Object({ provider_id: pathId(IdentityProviderIdSchema) });

export const startProviderTest = route({
  id: 'providers.test',
  method: 'POST',
  path: BASE,
  access: FOR_LOGINS,
  fresh: {},
  summary: 'Start a test login at a provider',
  description:
    'As in a login, send the browser to `authorize_url`. It returns to `return_url` with `handoff`. `return_url` is one of `return_urls`, or the console’s test screen, `/console/t/<tenant>/providers/<id>/test` on the issuer’s host. The provider can be inactive. No session is opened and no identity is linked. A new test by the same caller replaces this one.',
  params,
  body: closed({ return_url: UpstreamRequest.return_url }),
  ok: {
    status: 200,
    body: Type.Object(
      { authorize_url: UpstreamRequest.authorize_url },
      { $id: 'BegunProviderTest', description: 'URL to send the browser to.' },
    ),
  },
  errors: [
    'NOT_FOUND',
    'RETURN_URL_UNKNOWN',
    'PROVIDER_REFUSED',
    'TOO_MANY_ATTEMPTS',
    'SCOPE_NOT_HELD',
  ],
});

export const finishProviderTest = route({
  id: 'providers.finish_test',
  method: 'POST',
  path: `${BASE}/finish`,
  access: FOR_LOGINS,
  fresh: {},
  summary: 'Get the result of a test login',
  description:
    'Returns what the provider returned, or why it was rejected. The handoff is accepted once, within 60 seconds. After a successful test you can enable the provider, unless settings that a login depends on have changed since the test started.',
  params,
  body: closed({ handoff: Handoff }),
  ok: { status: 200, body: ProviderTest },
  errors: ['NOT_FOUND', 'PROVIDER_REFUSED', 'SCOPE_NOT_HELD'],
});

export const PROVIDER_TEST_ROUTES = [startProviderTest, finishProviderTest] as const;
