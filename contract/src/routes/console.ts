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
  description: 'The console starts with it at an address that names no tenant.',
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
    'The console starts with it, and sends users who are not logged in to the login. It reveals nothing else, and does not count as a use of the login, which expires as if there had been no request.',
  params: Type.Object({ tenant_id: pathId(TenantIdSchema) }),
  ok: {
    status: 200,
    body: Type.Object({
      is_logged_in: Type.Boolean({
        description:
          'Whether the cookie of the browser belongs to a login that the console accepts: `false` without a cookie, with that of another tenant, and with a forged one.',
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
    'For browsers. A user with a login that the console accepts is redirected immediately, unless a recent login is required. At another host than that of the issuer, the browser is redirected there first.',
  params: Type.Object({ tenant_id: pathId(TenantIdSchema) }),
  query: closed({
    return_to: Type.Optional(
      Type.String({
        maxLength: 1024,
        pattern: RETURN_TO,
        [EXPECTS]: 'a path of the console, such as /console/t/org_default/users',
        description: 'Where in the console the browser goes afterwards; default: its first screen.',
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
