import { scopesToReceive } from '@keywright/contract/event-scopes';
import { EVENT_TYPES } from '@keywright/contract/events';
import { DEFAULT_TENANT } from '@keywright/contract/ids';
import { loginsOf, needsAdministrator, type Route, scopeOf } from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';
import { OPENID_MEANINGS, SCOPE_MEANINGS } from '@keywright/contract/scope-meanings';
import { ACTIONS, isPermission, LOGINS, missingScopes } from '@keywright/contract/scopes';
import { builtinRolesOf } from '../../server/src/modules/identity/roles/role-rules.ts';
import { code, page, table } from './markdown.ts';
import { linkToRoute } from './routes.ts';

const MEANINGS: ReadonlyMap<string, string> = new Map(
  Object.values(SCOPE_MEANINGS).flatMap((scopes) => Object.entries(scopes)),
);

const EVALUATIONS = [
  'access.evaluation',
  'access.evaluation_by_issuer',
  'access.evaluations',
  'access.evaluations_by_issuer',
];

/** Routes that need a scope in addition to their own, or only for some requests. */
const FOR_PARTS: Readonly<Record<string, readonly string[]>> = {
  'read:users': ['access.explain', ...EVALUATIONS],
  'read:agents': ['access.explain', ...EVALUATIONS],
  'read:apikeys': ['access.explain'],
  'read:roles': ['access.explain', 'users.permissions', 'tokens.preview'],
  'read:sessions': ['access.explain', 'sessions.list'],
  'delete:sessions': ['sessions.delete', 'sessions.delete_all'],
  'read:tenant': ['tokens.preview'],
  'read:clients': ['tokens.preview'],
  'write:clients': ['oauth.register', 'oauth.register_by_issuer'],
  'write:workspaces': ['invitations.create'],
};

/** Returns the grammar of scopes, and every scope of the service with its routes. */
export function scopesPage(): string {
  requireMeanings();
  const resources = Object.entries(SCOPE_MEANINGS).filter(
    ([, scopes]) => Object.keys(scopes).length > 0,
  );
  return page('Scopes', [
    'A scope permits an action on a resource: `read:users` permits reading users. Users have the scopes of their [roles](#built-in-roles), agents those that they are granted, and API keys and delegations a part of them. An application gets scopes that its user holds and consents to. A caller without the scope of a route gets 403 `SCOPE_REQUIRED`.',
    ...GRAMMAR,
    '## Wildcards',
    '`*` as the action or the resource of a granted scope covers every action or resource:',
    table(['Granted', 'Covers', 'Does not cover'], WILDCARDS.map(checkedRow)),
    'A required `*` is covered only by a granted `*`. Wildcards cover only scopes of the form `<action>:<resource>`. `*` cannot be a part of a name.',
    '## Built-in roles',
    'Every tenant has these roles, which cannot be changed. You can add roles with any scopes that you hold.',
    table(['Role', 'Scopes', 'About'], builtinRolesOf(DEFAULT_TENANT).map(roleRow)),
    `The role \`system_admin\` exists only in the tenant ${code(DEFAULT_TENANT)}.`,
    '## Scopes of the service',
    'Other combinations of these actions and resources can be granted, but no route needs them. Routes that need no scope, such as those for a user’s own account, are not listed.',
    ...resources.flatMap(([resource, scopes]) => describeResource(resource, scopes)),
    '### All resources',
    `A webhook for these events needs \`read:*\`: ${eventsOf('read:*')}.`,
    '## Scopes of OpenID Connect',
    'Applications request these scopes when users sign in to them. Users do not need to hold them.',
    table(
      ['Scope', 'Requests'],
      Object.entries(OPENID_MEANINGS).map(([scope, meaning]) => [code(scope), meaning]),
    ),
  ]);
}

const GRAMMAR = [
  '## Grammar',
  'A scope has the form `<action>:<resource>`:',
  table(
    ['Part', 'Values'],
    [
      [
        'Action',
        '`*`, or 1 to 64 characters: a lower-case letter, followed by lower-case letters, digits, `_`, `.` and `-`',
      ],
      ['Resource', '`*`, or the same, also with `/` and `:`'],
    ],
  ),
  `The resources of the service are ${Object.keys(SCOPE_MEANINGS).map(code).join(', ')}. Their actions are ${ACTIONS.map(code).join(', ')}.`,
  'For your own services, use any other resource with any action, such as `approve:invoices` or `read:files/2026`. Define roles with these scopes, and check them in your services.',
  'Resources that you [register](../guide/resources.md) can also define scopes in other forms, such as `tools` or `Files.Read`: up to 128 printable ASCII characters without spaces, quotes and backslashes. Wildcards do not cover these.',
];

/** Examples of wildcards, which are checked before they are printed. */
const WILDCARDS: readonly (readonly [granted: string, covers: string[], not: string[]])[] = [
  ['read:users', ['read:users'], ['write:users', 'read:roles']],
  ['*:users', ['read:users', 'delete:users'], ['read:roles']],
  ['read:*', ['read:users', 'read:invoices'], ['write:users', 'approve:invoices']],
  ['*:invoices', ['read:invoices', 'approve:invoices'], ['read:invoices/2026']],
  ['*:*', ['write:logins', 'approve:invoices'], ['tools', 'Files.Read']],
];

function checkedRow([granted, covered, others]: (typeof WILDCARDS)[number]): string[] {
  const missing = missingScopes([granted], [...covered, ...others]);
  if (!isPermission(granted) || missing.join() !== others.join()) {
    throw new Error(`The examples of the wildcard ${granted} are wrong.`);
  }
  return [code(granted), covered.map(code).join(', '), others.map(code).join(', ')];
}

type BuiltinRole = ReturnType<typeof builtinRolesOf>[number];

function roleRow({ name, scopes, description }: BuiltinRole): string[] {
  return [code(name), scopes.length === 0 ? 'none' : scopes.map(code).join(', '), description];
}

function describeResource(resource: string, scopes: Readonly<Record<string, string>>): string[] {
  const parts = Object.entries(scopes).flatMap(([scope, meaning]) => describe(scope, meaning));
  return [`### ${resource}`, ...parts];
}

function eventsOf(scope: string): string {
  const types = EVENT_TYPES.filter((type) => scopesToReceive(type).some((name) => name === scope));
  return types.map(code).join(', ');
}

function describe(scope: string, meaning: string): string[] {
  const routes = ROUTES.filter((route) => scopeOf(route) === scope);
  const partly = ROUTES.filter((route) => !routes.includes(route) && isForPart(route, scope));
  const events = eventsOf(scope);
  const isOfAdministrators = routes.length > 0 && routes.every(needsAdministrator);
  const rejects = isOfAdministrators ? ', which reject agents, delegates and applications' : '';
  return [
    `#### ${code(scope)}`,
    meaning,
    ...(routes.length > 0 ? [`Needed by these routes${rejects}:`, listOf(routes)] : []),
    ...(partly.length > 0 ? ['Needed by some requests of:', listOf(partly)] : []),
    ...(events === '' ? [] : [`Needed by webhooks for ${events}.`]),
  ];
}

function isForPart(route: Route, scope: string): boolean {
  if (scope === LOGINS && loginsOf(route) !== undefined) return true;
  return FOR_PARTS[scope]?.includes(route.id) === true;
}

function listOf(routes: readonly Route[]): string {
  return routes.map((route) => `- ${linkToRoute(route)}: ${route.summary}`).join('\n');
}

/** Requires a meaning for each scope that a route or an event needs. */
function requireMeanings(): void {
  const ofRoutes = ROUTES.map((route: Route) => scopeOf(route)).filter(
    (scope) => scope !== undefined,
  );
  const ofEvents = EVENT_TYPES.flatMap(scopesToReceive);
  for (const scope of new Set([...ofRoutes, ...ofEvents])) {
    if (!scope.includes('*') && !MEANINGS.has(scope))
      throw new Error(`SCOPE_MEANINGS lacks ${scope}.`);
  }
}
