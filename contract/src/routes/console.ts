import Type from 'typebox';
import { EXPECTS } from '../expectation.ts';
import { pathId, TenantIdSchema } from '../ids.ts';
import { ISSUER_PATH } from '../issuer-routes.ts';
import { route } from '../route.ts';
import { closed } from '../shape.ts';

export const findConsoleTenant = route({
  id: 'console.tenant',
  method: 'GET',
  path: '/console/tenant',
  access: 'tenant',
  summary: 'The tenant of a host, for the console',
  description: 'The console begins with it at an address that names no tenant.',
  ok: { status: 200, body: Type.Object({ tenant_id: TenantIdSchema }) },
  errors: [],
});

export const findConsoleSession = route({
  id: 'console.session',
  method: 'GET',
  path: `${ISSUER_PATH}/console/session`,
  access: 'tenant',
  tenant: 'path',
  cookies: ['session'],
  summary: 'Whether a browser is logged in to the console',
  description:
    'The console begins with it, and leads whoever is not logged in to the login. It says nothing else, and is no use of the login: that ends as if nobody had asked.',
  params: Type.Object({ tenant_id: pathId(TenantIdSchema) }),
  ok: {
    status: 200,
    body: Type.Object({
      is_logged_in: Type.Boolean({
        description:
          'Whether the cookie of the browser is of a login that the console accepts. The same without a cookie, with that of another tenant, and with one that was made up: `false`.',
      }),
    }),
  },
  errors: [],
});

/**
 * A path within the console, without anything that a browser would resolve to another host or a parent folder: no
 * segment is `.` or `..`.
 */
const RETURN_TO = String.raw`^/console(/(\.{0,2}[\w~:-][\w.~:-]*|\.{3}[\w.~:-]*))*/?(\?[\w.~:&=%+-]*)?$`;

export const logInToConsole = route({
  id: 'console.login',
  method: 'GET',
  path: `${ISSUER_PATH}/console/login`,
  access: 'tenant',
  tenant: 'path',
  errorForm: 'page',
  cookies: ['session', 'flow'],
  summary: 'Log in to the console',
  description:
    'For browsers. Whoever has a login that the console accepts is sent on at once, unless it has to be a recent one. At another host than that of the issuer, the browser is sent there first.',
  params: Type.Object({ tenant_id: pathId(TenantIdSchema) }),
  query: closed({
    return_to: Type.Optional(
      Type.String({
        maxLength: 1024,
        pattern: RETURN_TO,
        [EXPECTS]: 'a path of the console, such as /console/t/org_default/users',
        description: 'Where in the console the browser goes then; default its first screen.',
        examples: ['/console/t/org_default/users?state=active'],
      }),
    ),
    fresh: Type.Optional(
      Type.Enum(['1'], {
        description:
          'With `1` the user logs in again, unless they have done so within step_up_max_age.',
        examples: ['1'],
      }),
    ),
  }),
  ok: { kind: 'redirect', status: 303 },
  errors: [],
});

export const CONSOLE_ROUTES = [findConsoleTenant, findConsoleSession, logInToConsole] as const;
