import type { QueryClient } from '@tanstack/react-query';
import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  Router,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
} from '@tanstack/react-router';
import { requireLogin } from '../api/session.ts';
import { BASE } from '../url/inside.ts';
import { checkSearch, searchOfText, textOfSearch } from '../url/search.ts';
import { Entrance } from './entrance.tsx';
import { Failure, Locked, UnknownPlace, Waiting } from './failure.tsx';
import { Shell } from './shell.tsx';

const root = createRootRoute({ component: Outlet, validateSearch: checkSearch });
const entrance = createRoute({ getParentRoute: () => root, path: '/', component: Entrance });

/** Paths below the tenant, and what loads their screens. */
const SCREENS: readonly (readonly [path: string, component: RouteComponent])[] = [
  ['/', lazyRouteComponent(() => import('../screens/overview/overview.tsx'), 'Overview')],
  ['/users', lazyRouteComponent(() => import('../screens/users/list.tsx'), 'UserList')],
  ['/users/new', lazyRouteComponent(() => import('../screens/users/create.tsx'), 'UserCreation')],
  ['/users/import', lazyRouteComponent(() => import('../screens/import/import.tsx'), 'UserImport')],
  ['/users/$id', lazyRouteComponent(() => import('../screens/users/detail.tsx'), 'UserDetail')],
  [
    '/invitations',
    lazyRouteComponent(() => import('../screens/invitations/list.tsx'), 'InvitationList'),
  ],
  [
    '/invitations/new',
    lazyRouteComponent(() => import('../screens/invitations/create.tsx'), 'InvitationCreation'),
  ],
  [
    '/invitations/$id',
    lazyRouteComponent(() => import('../screens/invitations/detail.tsx'), 'InvitationDetail'),
  ],
  ['/sessions', lazyRouteComponent(() => import('../screens/sessions/list.tsx'), 'SessionList')],
  [
    '/workspaces',
    lazyRouteComponent(() => import('../screens/workspaces/list.tsx'), 'WorkspaceList'),
  ],
  [
    '/workspaces/new',
    lazyRouteComponent(() => import('../screens/workspaces/create.tsx'), 'WorkspaceCreation'),
  ],
  [
    '/workspaces/$id',
    lazyRouteComponent(() => import('../screens/workspaces/detail.tsx'), 'WorkspaceDetail'),
  ],
  ['/roles', lazyRouteComponent(() => import('../screens/roles/list.tsx'), 'RoleList')],
  ['/roles/new', lazyRouteComponent(() => import('../screens/roles/create.tsx'), 'RoleCreation')],
  ['/roles/$id', lazyRouteComponent(() => import('../screens/roles/detail.tsx'), 'RoleDetail')],
  [
    '/access-check',
    lazyRouteComponent(() => import('../screens/access-check/access-check.tsx'), 'AccessCheck'),
  ],
  ['/agents', lazyRouteComponent(() => import('../screens/agents/list.tsx'), 'AgentList')],
  [
    '/agents/new',
    lazyRouteComponent(() => import('../screens/agents/create.tsx'), 'AgentCreation'),
  ],
  ['/agents/leak', lazyRouteComponent(() => import('../screens/agents/leak.tsx'), 'LeakReport')],
  ['/agents/$id', lazyRouteComponent(() => import('../screens/agents/detail.tsx'), 'AgentDetail')],
  [
    '/agents/$id/keys/new',
    lazyRouteComponent(() => import('../screens/agents/create-key.tsx'), 'ApiKeyCreation'),
  ],
  ['/keys', lazyRouteComponent(() => import('../screens/keys/list.tsx'), 'SigningKeyList')],
  ['/clients', lazyRouteComponent(() => import('../screens/clients/list.tsx'), 'ClientList')],
  [
    '/clients/new',
    lazyRouteComponent(() => import('../screens/clients/create.tsx'), 'ClientCreation'),
  ],
  [
    '/clients/policy',
    lazyRouteComponent(() => import('../screens/clients/policy.tsx'), 'ClientPolicy'),
  ],
  [
    '/clients/$id',
    lazyRouteComponent(() => import('../screens/clients/detail.tsx'), 'ClientDetail'),
  ],
  ['/webhooks', lazyRouteComponent(() => import('../screens/webhooks/list.tsx'), 'WebhookList')],
  [
    '/webhooks/new',
    lazyRouteComponent(() => import('../screens/webhooks/create.tsx'), 'WebhookCreation'),
  ],
  [
    '/webhooks/$id',
    lazyRouteComponent(() => import('../screens/webhooks/detail.tsx'), 'WebhookDetail'),
  ],
  ['/resources', lazyRouteComponent(() => import('../screens/resources/list.tsx'), 'ResourceList')],
  [
    '/resources/new',
    lazyRouteComponent(() => import('../screens/resources/create.tsx'), 'ResourceCreation'),
  ],
  [
    '/resources/$id',
    lazyRouteComponent(() => import('../screens/resources/detail.tsx'), 'ResourceDetail'),
  ],
  [
    '/clients/registration-tokens',
    lazyRouteComponent(() => import('../screens/registration/list.tsx'), 'RegistrationTokenList'),
  ],
  [
    '/clients/registration-tokens/new',
    lazyRouteComponent(
      () => import('../screens/registration/create.tsx'),
      'RegistrationTokenCreation',
    ),
  ],
  ['/providers', lazyRouteComponent(() => import('../screens/providers/list.tsx'), 'ProviderList')],
  [
    '/providers/new',
    lazyRouteComponent(() => import('../screens/providers/create.tsx'), 'ProviderCreation'),
  ],
  [
    '/providers/$id',
    lazyRouteComponent(() => import('../screens/providers/detail.tsx'), 'ProviderDetail'),
  ],
  [
    '/providers/$id/test',
    lazyRouteComponent(() => import('../screens/providers/test.tsx'), 'ProviderTrial'),
  ],
  ['/branding', lazyRouteComponent(() => import('../screens/branding/branding.tsx'), 'Branding')],
  ['/texts', lazyRouteComponent(() => import('../screens/texts/list.tsx'), 'TextList')],
  ['/texts/$key', lazyRouteComponent(() => import('../screens/texts/detail.tsx'), 'TextDetail')],
  ['/messages', lazyRouteComponent(() => import('../screens/messages/messages.tsx'), 'Messages')],
  [
    '/messages/$kind',
    lazyRouteComponent(() => import('../screens/messages/detail.tsx'), 'MessageDetail'),
  ],
  ['/usage', lazyRouteComponent(() => import('../screens/usage/usage.tsx'), 'Usage')],
  ['/events', lazyRouteComponent(() => import('../screens/events/tail.tsx'), 'EventTail')],
  ['/audit', lazyRouteComponent(() => import('../screens/audit/list.tsx'), 'AuditLog')],
  ['/tenants', lazyRouteComponent(() => import('../screens/tenants/list.tsx'), 'TenantList')],
  [
    '/tenants/new',
    lazyRouteComponent(() => import('../screens/tenants/create.tsx'), 'TenantCreation'),
  ],
  [
    '/tenants/$id',
    lazyRouteComponent(() => import('../screens/tenants/detail.tsx'), 'TenantDetail'),
  ],
  [
    '/tenants/$id/setup',
    lazyRouteComponent(() => import('../screens/tenants/setup.tsx'), 'TenantSetup'),
  ],
  [
    '/setup/administrator',
    lazyRouteComponent(
      () => import('../screens/tenants/first-administrator.tsx'),
      'FirstAdministrator',
    ),
  ],
  [
    '/installation',
    lazyRouteComponent(
      () => import('../screens/installation/installation.tsx'),
      'InstallationState',
    ),
  ],
  ['/methods', lazyRouteComponent(() => import('../screens/methods/screen.tsx'), 'SignInMethods')],
  [
    '/settings',
    lazyRouteComponent(() => import('../screens/settings/settings.tsx'), 'GeneralSettings'),
  ],
  [
    '/settings/domains',
    lazyRouteComponent(() => import('../screens/settings/settings.tsx'), 'Domains'),
  ],
  [
    '/settings/tokens',
    lazyRouteComponent(() => import('../screens/settings/settings.tsx'), 'SessionsAndTokens'),
  ],
  [
    '/settings/claims',
    lazyRouteComponent(() => import('../screens/settings/settings.tsx'), 'CustomClaims'),
  ],
  [
    '/settings/limits',
    lazyRouteComponent(() => import('../screens/settings/settings.tsx'), 'Limits'),
  ],
];

/** The screens of a tenant. None is loaded before a user is logged in to the tenant. */
function tenantRoute(queries: QueryClient): AnyRoute {
  const tenant = createRoute({
    getParentRoute: () => root,
    path: '/t/$tenant',
    component: Shell,
    errorComponent: Locked,
    beforeLoad: ({ params }) => requireLogin(queries, params.tenant),
  });
  const screens: readonly AnyRoute[] = SCREENS.map(([path, component]) =>
    createRoute({ getParentRoute: () => tenant, path, component }),
  );
  return tenant.addChildren([...screens]);
}

export function createConsoleRouter(queries: QueryClient) {
  return new Router({
    routeTree: root.addChildren([entrance, tenantRoute(queries)]),
    basepath: BASE,
    parseSearch: searchOfText,
    stringifySearch: textOfSearch,
    // Ids have colons.
    pathParamsAllowedCharacters: [':'],
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: Failure,
    defaultNotFoundComponent: UnknownPlace,
    defaultPendingComponent: Waiting,
  });
}
