// The matrix's examples. A route whose example is missing fails with a message.

import * as ids from '@keywright/contract/ids';
import { pathTo, type Route } from '@keywright/contract/route';
import {
  newAgentId,
  newEventId,
  newOAuthClientId,
  newSignalStreamId,
  newUserId,
} from '@keywright/server/platform/crypto/ids';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { ACCESS_REFERENCES } from './access-references.ts';
import { CLIENT_REFERENCES } from './client-references.ts';
import type { BodyReference, Reference } from './reference.ts';
import { PATH_RECORDS, type PathRecord } from './path-records.ts';
import {
  clientOf,
  credentialsOf,
  firstEvent,
  lastRequest,
  randomName,
  type RequestParts,
  REQUESTS,
} from './requests.ts';
import type { Side, World } from './world.ts';

const HERE = 'tests/isolation/{examples,path-records}.ts';

const USER: Reference = {
  foreign: ({ foreign }) => foreign.member.user.id,
  random: () => newUserId(new Date()),
};

/** Keyed by the name of the query parameter, or by the route's id and that name. */
const QUERY_REFERENCES: Readonly<Record<string, Reference>> = {
  user_id: USER,
  'sessions.delete_all user_id': { ...USER, refusal: 'NOT_FOUND' },
  ids: USER,
  client_id: {
    foreign: ({ foreign }) => foreign.clientId,
    random: () => newOAuthClientId(new Date()),
  },
  workspace_id: {
    foreign: ({ foreign }) => foreign.workspaceId,
    random: () => `ws_${randomName()}`,
  },
  role: { foreign: ({ foreign }) => foreign.role, random: () => randomName() },
  owner_id: USER,
  agent_id: {
    foreign: ({ foreign }) => foreign.robot.agent.id,
    random: () => newAgentId(new Date()),
  },
  email: {
    foreign: ({ foreign }) => foreign.member.identifier,
    random: () => `${randomName()}@example.com`,
  },
  identifier: {
    foreign: ({ foreign }) => foreign.invitedAddress,
    random: () => newIdentifier(),
  },
  // For system administrators only: for any other caller, every value is rejected.
  tenant_id: { foreign: ({ foreign }) => foreign.tenant.id, random: () => `org_${randomName()}` },
  search: { foreign: ({ foreign }) => foreign.tenant.id, random: () => randomName() },
  cursor: { foreign: foreignCursor, refusal: 'VALIDATION_FAILED' },
  'events.list cursor': { foreign: foreignEvent, random: () => newEventId(new Date()) },
  actor: {
    foreign: ({ foreign }) => foreign.admin.user.id,
    random: () => newUserId(new Date()),
  },
  on_behalf_of: {
    foreign: ({ foreign }) => foreign.member.user.id,
    random: () => newUserId(new Date()),
  },
  target: {
    foreign: ({ foreign }) => foreign.member.user.id,
    random: () => newUserId(new Date()),
  },
  request_id: { foreign: foreignRequest, random: () => randomName() },
  after: { foreign: foreignEvent, random: () => newEventId(new Date()) },
  // For receivers, which have their own tokens. The tests of streams cover a stream of another client.
  stream_id: {
    foreign: ({ foreign }) => foreign.streamId,
    random: () => newSignalStreamId(new Date()),
    refusal: 'TOKEN_INVALID',
  },
  subject: {
    foreign: ({ foreign }) => foreign.member.user.id,
    random: () => newUserId(new Date()),
  },
};

/** Path parameters whose values are not specific to a tenant. */
const PLAIN_PATH = ['shard', 'kind', 'locale', 'key', 'file'];

/** Query parameters that can't name anything. */
const PLAIN_QUERY = [
  'type',
  'interval',
  'page',
  'limit',
  'sort',
  'force',
  'immediately',
  'algorithm',
  'alg',
  'dry_run',
  'is_active',
  'is_verified',
  'has_logged_in',
  'last_login_before',
  'state',
  'status',
  'action',
  'outcome',
  'from',
  'to',
  'v',
  'scope',
  // Used on a page after a login: tests/pages/account-agents.test.ts.
  'agent',
  'days',
];

/** Filters that shorten the iteration over a long list. */
export const NARROWED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'audit.list': { action: 'workspace.created' },
  'events.list': { type: 'workspace.created' },
};

/** Logs that are iterated by the id of the last item, and have no total. */
export const LOGS = ['events.list'];

/** Routes that return the records that a request names, without pages. */
export const LOOKUPS = ['audit.get_names'];

/** Lists that are held in memory, and reject every cursor. */
export const WHOLE_LISTS = [
  'roles.list',
  'keys.list',
  'factors.list',
  'identities.list',
  'workspaces.list_own',
  'invitations.list_own',
  'branding.list_logos',
  'providers.list_domains',
  'users.list_factors',
];

/** A cursor of the same list, in the foreign tenant. */
async function foreignCursor({ foreign }: World, route: Route): Promise<string> {
  const token = await foreign.tenant.adminToken();
  const path = `${pathTo(route, presentPath(route, foreign))}?limit=1`;
  const list = await foreign.tenant.request<{ meta: { next_cursor?: string } }>('GET', path, {
    token,
  });
  return list.body.meta.next_cursor ?? missing(`a second item of ${route.id}`, 'world.ts');
}

/** The id of the request of the foreign tenant's newest login. */
function foreignRequest({ foreign }: World): Promise<string> {
  return lastRequest(foreign.tenant);
}

function foreignEvent({ foreign }: World): Promise<string> {
  return firstEvent(foreign.tenant);
}

/** Client credentials for both token endpoints. */
const CLIENT: BodyReference = {
  foreign: ({ foreign }) => clientOf(foreign.robot),
  random: () => ({ client_id: newAgentId(new Date()), client_secret: 'svc_sk_whatever' }),
  status: 401,
  code: 'CLIENT_INVALID',
  around: (client) => ({ grant_type: 'client_credentials', ...(client as object) }),
};

/** Keyed by the route's id and the JSON pointer to the value in the body. */
const BODY_REFERENCES: Readonly<Record<string, BodyReference>> = {
  'auth.login /workspace_id': notFound(
    ({ foreign }) => foreign.workspaceId,
    () => `ws_${randomName()}`,
    (workspaceId, { member }) => ({ ...credentialsOf(member), workspace_id: workspaceId }),
  ),
  'flows.begin /workspace_id': {
    foreign: ({ foreign }) => foreign.workspaceId,
    random: () => `ws_${randomName()}`,
    // It is looked up when the flow is complete.
    status: 201,
    around: (workspaceId, { member }) => ({
      identifier: member.identifier,
      workspace_id: workspaceId,
    }),
  },
  'webhooks.replay /after': notFound(
    foreignEvent,
    () => newEventId(new Date()),
    (after) => ({ after }),
  ),
  'auth.login /': {
    foreign: ({ foreign }) => credentialsOf(foreign.member),
    random: () => credentialsOf({ identifier: newIdentifier(), password: newPassword() }),
    status: 401,
    code: 'INVALID_CREDENTIALS',
    around: (credentials) => credentials as Record<string, unknown>,
  },
  'auth.token /': CLIENT,
  'auth.token_by_issuer /': CLIENT,
  ...ACCESS_REFERENCES,
  ...CLIENT_REFERENCES,
  'auth.impersonate /tenant_id': systemOnly(
    ({ foreign }) => foreign.tenant.id,
    () => `org_${randomName()}`,
    (tenantId) => ({ tenant_id: tenantId, reason: 'curiosity' }),
  ),
  'tenants.create /domains/*': systemOnly(
    ({ foreign }) => foreign.tenant.domains[0],
    () => `${randomName()}.example.com`,
    (domain) => ({ name: randomName(), domains: [domain] }),
  ),
  'tenants.update /domains/*': systemOnly(
    ({ foreign }) => foreign.tenant.domains[0],
    () => `${randomName()}.example.com`,
    (domain) => ({ domains: [domain] }),
  ),
  'tenants.update /issuer': systemOnly(
    ({ foreign }) => `https://id.example.com/t/${foreign.tenant.id}`,
    () => `https://id.example.com/t/org_${randomName()}`,
    (issuer) => ({ issuer }),
  ),
  'agents.create /workspace_id': notFound(
    ({ foreign }) => foreign.workspaceId,
    () => `ws_${randomName()}`,
    (workspaceId) => ({ name: 'a robot', workspace_id: workspaceId }),
  ),
  'agents.create /owner_id': notFound(
    ({ foreign }) => foreign.member.user.id,
    () => newUserId(new Date()),
    (ownerId) => ({ name: 'a robot', owner_id: ownerId }),
  ),
  'agents.update /workspace_id': notFound(
    ({ foreign }) => foreign.workspaceId,
    () => `ws_${randomName()}`,
    (workspaceId) => ({ workspace_id: workspaceId }),
  ),
  'agents.update /owner_id': notFound(
    ({ foreign }) => foreign.member.user.id,
    () => newUserId(new Date()),
    (ownerId) => ({ owner_id: ownerId }),
  ),
  'apikeys.create /agent_id': notFound(
    ({ foreign }) => foreign.robot.agent.id,
    () => newAgentId(new Date()),
    (agentId) => ({ agent_id: agentId, name: 'a key' }),
  ),
  'delegations.create /agent_id': notFound(
    ({ foreign }) => foreign.robot.agent.id,
    () => newAgentId(new Date()),
    (agentId) => ({ agent_id: agentId, scopes: ['read:users'] }),
  ),
  'invitations.create /roles/*': roleReference((role) => ({
    identifier: newIdentifier(),
    roles: [role],
  })),
  'invitations.create /workspaces/*': notFound(
    ({ foreign }) => foreign.workspaceId,
    () => `ws_${randomName()}`,
    (workspaceId, side) => ({
      identifier: newIdentifier(),
      workspaces: [side.workspaceId, workspaceId],
    }),
  ),
  'users.create /roles/*': roleReference((role) => ({
    identifier: newIdentifier(),
    password: newPassword(),
    roles: [role],
  })),
  'users.update /roles/*': roleReference((role) => ({ roles: [role] })),
  'users.update /workspaces/*': notFound(
    ({ foreign }) => foreign.workspaceId,
    () => `ws_${randomName()}`,
    (workspaceId, side) => ({ workspaces: [side.workspaceId, workspaceId] }),
  ),
};

/** Fields reserved to system administrators, whatever they name. */
function systemOnly(
  foreign: Reference['foreign'],
  random: BodyReference['random'],
  around: BodyReference['around'],
): BodyReference {
  return { foreign, random, around, status: 403, code: 'SYSTEM_ADMINISTRATOR_REQUIRED' };
}

/** A value that must exist in the tenant. */
function notFound(
  foreign: Reference['foreign'],
  random: BodyReference['random'],
  around: BodyReference['around'],
): BodyReference {
  return { foreign, random, around, status: 404, code: 'NOT_FOUND' };
}

function roleReference(around: BodyReference['around']): BodyReference {
  return {
    foreign: ({ foreign }) => foreign.role,
    random: () => randomName(),
    status: 400,
    code: 'ROLE_UNKNOWN',
    around,
  };
}

/** The names of the parameters in a route's path. */
export function pathParametersOf(route: Route): string[] {
  return [...route.path.matchAll(/:([a-z_]+)/g)].map(([, name = '']) => name);
}

/** Returns the path parameters that can name a record of a tenant. */
export function pathReferencesOf(route: Route): string[] {
  return pathParametersOf(route).filter((name) => !PLAIN_PATH.includes(name));
}

export function pathRecord(name: string, route: Route): PathRecord {
  const record = PATH_RECORDS[`${route.id} ${name}`] ?? PATH_RECORDS[name];
  return record ?? missing(`the path parameter ${name}`, 'PATH_RECORDS');
}

/** Returns existing records, which no request deletes, for each parameter in a route's path. */
export function presentPath(route: Route, side: Side): Record<string, string> {
  const names = pathParametersOf(route);
  return Object.fromEntries(names.map((name) => [name, pathRecord(name, route).present(side)]));
}

/** The query parameters of a route that may name something of a tenant. */
export function queryParametersOf(route: Route): string[] {
  const hasNoCursor = WHOLE_LISTS.includes(route.id) || route.access === 'system';
  return Object.keys(route.query?.properties ?? {}).filter(
    (name) => !PLAIN_QUERY.includes(name) && !(name === 'cursor' && hasNoCursor),
  );
}

export function queryReference(name: string, { id }: Route): Reference {
  const reference = QUERY_REFERENCES[`${id} ${name}`] ?? QUERY_REFERENCES[name];
  return reference ?? missing(`the query parameter ${name}`, 'QUERY_REFERENCES or PLAIN_QUERY');
}

/** Returns the fields of a route's body that can name a record of a tenant: ids, and those in BODY_REFERENCES. */
export function bodyPlacesOf(route: Route): string[] {
  const listed = Object.keys(BODY_REFERENCES).filter((name) => name.startsWith(`${route.id} `));
  return [...new Set([...idsIn(route.body), ...listed.map((name) => name.split(' ')[1] ?? '')])];
}

export function bodyReference(route: Route, place: string): BodyReference {
  const name = `${route.id} ${place}`;
  return BODY_REFERENCES[name] ?? missing(`the id in a body, "${name}"`, 'BODY_REFERENCES');
}

/** Returns a request of the route that is granted, without its path parameters. */
export async function requestParts(route: Route, side: Side): Promise<RequestParts> {
  const parts = REQUESTS[route.id];
  if (parts) return parts(side);
  return route.body || route.query
    ? missing(`a request of ${route.id}, which has a body or a query`, 'REQUESTS')
    : {};
}

function missing(what: string, where: string): never {
  throw new Error(
    `The isolation matrix has no example of ${what}. Add one to ${where} in ${HERE}.`,
  );
}

const ID_PATTERNS = Object.values(ids).flatMap((exported) => patternOf(exported) ?? []);

function patternOf(schema: unknown): string | undefined {
  if (typeof schema !== 'object' || schema === null || !('pattern' in schema)) return undefined;
  return typeof schema.pattern === 'string' ? schema.pattern : undefined;
}

/** Returns JSON pointers to the ids in a schema; `*` stands for any element of a list. */
function idsIn(schema: unknown, pointer = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if (ID_PATTERNS.includes(patternOf(schema) ?? '')) return [pointer];
  const {
    properties = {},
    items,
    anyOf = [],
  } = schema as { properties?: object; items?: unknown; anyOf?: readonly unknown[] };
  return [
    ...anyOf.flatMap((part) => idsIn(part, pointer)),
    ...Object.entries(properties).flatMap(([name, part]) => idsIn(part, `${pointer}/${name}`)),
    ...idsIn(items, `${pointer}/*`),
  ];
}
