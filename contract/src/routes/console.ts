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
  summary: 'Find the tenant of a host, for the console',
  description: 'The console calls this route when its URL does not name a tenant.',
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
  summary: 'Check whether a browser is signed in to the console',
  description:
    'The console calls this route when it starts, and sends users who are not signed in to the login page. The route reveals nothing else and does not extend the login.',
  params: Type.Object({ tenant_id: pathId(TenantIdSchema) }),
  ok: {
    status: 200,
    body: Type.Object({
      is_logged_in: Type.Boolean({
        description:
          'Whether the browser’s cookie belongs to a login that the console accepts. `false` without a cookie, with another tenant’s cookie and with a forged cookie.',
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
  summary: 'Sign in to the console',
  description:
    'For browsers. A user whose login the console accepts is redirected immediately, unless a recent login is required. On any host other than the issuer’s, the browser is redirected to the issuer’s host first.',
  params: Type.Object({ tenant_id: pathId(TenantIdSchema) }),
  query: closed({
    return_to: Type.Optional(
      Type.String({
        maxLength: 1024,
        pattern: RETURN_TO,
        [EXPECTS]: 'a path of the console, such as /console/t/org_default/users',
        description:
          'Path in the console that the browser goes to after the login. Default: the first screen.',
        examples: ['/console/t/org_default/users?state=active'],
      }),
    ),
    fresh: Type.Optional(
      Type.Enum(['1'], {
        description:
          'With `1`, the user signs in again, unless they did so within step_up_max_age.',
        examples: ['1'],
      }),
    ),
  }),
  ok: { kind: 'redirect', status: 303 },
  errors: [],
});

export const CONSOLE_ROUTES = [findConsoleTenant, findConsoleSession, logInToConsole] as const;
