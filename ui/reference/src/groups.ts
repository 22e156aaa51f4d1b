import { TAGS, tagName, tagOf } from '@keywright/contract/openapi-tags';
import type { Route } from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';

/** Groups of operations on one page. */
export interface Section {
  readonly name: string;
  readonly url: string;
  readonly file: string;
  readonly groups: readonly Group[];
}

export interface Group {
  readonly tag: string;
  readonly name: string;
  readonly about: string;
  readonly operations: readonly Operation[];
}

/** A route, and the same route with the tenant in its path. */
export interface Operation {
  readonly route: Route;
  readonly byIssuer: Route | undefined;
}

/** The pages by their paths. Operations that share records are on one page, which then describes each record once. */
const SECTIONS: Readonly<Record<string, { readonly name: string; readonly tags: string }>> = {
  'sign-in': { name: 'Sign-in', tags: 'auth flows' },
  connections: { name: 'Sign-in options', tags: 'providers passkeys branding messaging' },
  caller: { name: 'The signed-in user', tags: 'me identifiers factors' },
  accounts: { name: 'Connected accounts', tags: 'identities delegations consents' },
  people: { name: 'People', tags: 'users invitations sessions' },
  access: { name: 'Access', tags: 'roles workspaces access tokens' },
  applications: { name: 'Applications', tags: 'clients resources' },
  oauth: { name: 'OAuth and OpenID', tags: 'oauth userinfo' },
  verification: { name: 'Verification', tags: 'discovery key_set status' },
  machines: { name: 'Machines', tags: 'agents apikeys webhooks signals' },
  monitor: { name: 'Monitor', tags: 'audit events' },
  settings: { name: 'Tenants', tags: 'tenants keys impersonations' },
  installation: { name: 'Installation', tags: 'service installation' },
  browser: { name: 'Pages in the browser', tags: 'account console pages' },
};

const BY_ISSUER = '_by_issuer';

/** Every group of operations, in the order of the navigation. @throws if a group is on no page */
export function sections(): readonly Section[] {
  const routes = Map.groupBy(ROUTES, tagOf);
  const placed = Object.values(SECTIONS).flatMap(({ tags }) => tags.split(' '));
  const missing = [...routes.keys()].filter((tag) => !placed.includes(tag));
  if (missing.length > 0) throw new Error(`Add ${missing.join(', ')} to SECTIONS in groups.ts.`);
  return Object.entries(SECTIONS).map(([path, { name, tags }]) => ({
    name,
    url: `/reference/${path}`,
    file: `${path}.html`,
    groups: tags.split(' ').map((tag) => groupOf(tag, routes.get(tag) ?? [])),
  }));
}

function groupOf(tag: string, routes: readonly Route[]): Group {
  const byId = new Map(routes.map((route) => [route.id, route]));
  const operations = routes
    .filter(({ id }) => !(id.endsWith(BY_ISSUER) && byId.has(id.slice(0, -BY_ISSUER.length))))
    .map((route) => ({ route, byIssuer: byId.get(`${route.id}${BY_ISSUER}`) }));
  return { tag, name: tagName(tag), about: TAGS[tag] ?? '', operations };
}

/** The page of the events that webhooks and streams deliver. */
export const EVENT_TYPES_URL = '/reference/event-types';
