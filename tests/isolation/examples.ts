// What the matrix asks with. A route that needs an example that isn't here fails, and says so.

import { randomBytes } from 'node:crypto';
import * as ids from '@keywright/contract/ids';
import type { Route } from '@keywright/contract/route';
import { newSessionId, newUserId } from '@keywright/server/platform/crypto/ids';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { claimsOf } from '../harness/token.ts';
import type { Side, World } from './world.ts';

const HERE = 'tests/isolation/examples.ts';

/** A kind of record that is named in paths. */
export interface PathRecord {
  /** One that is there and stays: for requests that are refused. */
  readonly present: (side: Side) => string;
  /** A new one, for requests that are granted: some routes end what they are given. */
  readonly make: (side: Side) => Promise<string>;
  /** An id of the right form that nobody has. */
  readonly random: () => string;
}

/** By the name of the path parameter. */
const PATH_RECORDS: Readonly<Record<string, PathRecord>> = {
  user_id: {
    present: (side) => side.member.user.id,
    make: async (side) => (await side.tenant.createUser()).user.id,
    random: () => newUserId(new Date()),
  },
  session_id: {
    present: (side) => claimsOf(side.member.token).sid,
    make: async (side) => claimsOf((await side.tenant.createUser()).token).sid,
    random: () => newSessionId(new Date()),
  },
  tenant_id: {
    present: (side) => side.tenant.id,
    make: async (side) => side.tenant.id,
    random: () => `org_${randomName()}`,
  },
};

/** A value in a request that may name something of another tenant, beside one that names nothing. */
export interface Reference {
  readonly foreign: (world: World) => unknown;
  /** Undefined where two values are never answered alike, as with a cursor. */
  readonly random?: (world: World) => unknown;
}

/** By the name of the query parameter. */
const QUERY_REFERENCES: Readonly<Record<string, Reference>> = {
  user_id: {
    foreign: ({ foreign }) => foreign.member.user.id,
    random: () => newUserId(new Date()),
  },
  workspace_id: {
    foreign: ({ foreign }) => foreign.workspaceId,
    random: () => `ws_${randomName()}`,
  },
  role: { foreign: ({ foreign }) => foreign.role, random: () => randomName() },
  email: {
    foreign: ({ foreign }) => foreign.member.identifier,
    random: () => `${randomName()}@example.com`,
  },
  cursor: { foreign: cursorOfForeignUsers },
};

/** Query parameters that can't name anything. */
const PLAIN_QUERY = ['page', 'limit', 'sort'];

async function cursorOfForeignUsers({ foreign }: World): Promise<unknown> {
  const token = await foreign.tenant.adminToken();
  const list = await foreign.tenant.request<{ meta: { next_cursor: string } }>(
    'GET',
    '/users?limit=1',
    { token },
  );
  return list.body.meta.next_cursor;
}

/** A value in a body, what the answer to it is, and the body around it. */
export interface BodyReference extends Reference {
  readonly random: (world: World) => unknown;
  readonly status: number;
  readonly code: string;
  readonly around: (value: unknown, side: Side) => Readonly<Record<string, unknown>>;
}

/** By the id of the route and where in its body the value stands. */
const BODY_REFERENCES: Readonly<Record<string, BodyReference>> = {
  'auth.login /workspace_id': {
    foreign: ({ foreign }) => foreign.workspaceId,
    random: () => `ws_${randomName()}`,
    status: 404,
    code: 'NOT_FOUND',
    around: (workspaceId, { member }) => ({ ...credentialsOf(member), workspace_id: workspaceId }),
  },
  'auth.login /': {
    foreign: ({ foreign }) => credentialsOf(foreign.member),
    random: () => credentialsOf({ identifier: newIdentifier(), password: newPassword() }),
    status: 401,
    code: 'INVALID_CREDENTIALS',
    around: (credentials) => credentials as Record<string, unknown>,
  },
  'users.create /roles/*': roleReference((role) => ({
    identifier: newIdentifier(),
    password: newPassword(),
    roles: [role],
  })),
  'users.update /roles/*': roleReference((role) => ({ roles: [role] })),
  'users.update /workspaces/*': {
    foreign: ({ foreign }) => foreign.workspaceId,
    random: () => `ws_${randomName()}`,
    status: 404,
    code: 'NOT_FOUND',
    around: (workspaceId, side) => ({ workspaces: [side.workspaceId, workspaceId] }),
  },
};

function roleReference(around: BodyReference['around']): BodyReference {
  return {
    foreign: ({ foreign }) => foreign.role,
    random: () => randomName(),
    status: 400,
    code: 'ROLE_UNKNOWN',
    around,
  };
}

/** What a request needs beside its path. */
interface RequestParts {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** A request that its route grants, by the id of the route; needed where there is a body or a query. */
const REQUESTS: Readonly<Record<string, (side: Side) => Promise<RequestParts> | RequestParts>> = {
  'auth.login': ({ member }) => ({ body: credentialsOf(member) }),
  'auth.refresh': async ({ tenant, member }) => {
    const answer = await tenant.login(member.identifier, member.password);
    return { body: { refresh_token: answer.refresh_token } };
  },
  'auth.verify_token': ({ member }) => ({ body: { token: member.token } }),
  'me.update': () => ({ body: { metadata: { seen: true } } }),
  'users.list': () => ({}),
  'users.create': () => ({ body: { identifier: newIdentifier(), password: newPassword() } }),
  'users.update': () => ({ body: { metadata: { seen: true } } }),
  'sessions.list': () => ({}),
  'sessions.delete_all': ({ idler }) => ({ query: { user_id: idler.user.id } }),
};

function credentialsOf(user: { readonly identifier: string; readonly password: string }) {
  return { identifier: user.identifier, secret: user.password };
}

function randomName(): string {
  return `nobody-${randomBytes(6).toString('hex')}`;
}

/** The names of the parameters in a route's path. */
export function pathParametersOf(route: Route): string[] {
  return [...route.path.matchAll(/:([a-z_]+)/g)].map(([, name = '']) => name);
}

export function pathRecord(name: string): PathRecord {
  return PATH_RECORDS[name] ?? missing(`the path parameter ${name}`, 'PATH_RECORDS');
}

/** The query parameters of a route that may name something of a tenant. */
export function queryParametersOf(route: Route): string[] {
  return Object.keys(route.query?.properties ?? {}).filter((name) => !PLAIN_QUERY.includes(name));
}

export function queryReference(name: string): Reference {
  const reference = QUERY_REFERENCES[name];
  return reference ?? missing(`the query parameter ${name}`, 'QUERY_REFERENCES or PLAIN_QUERY');
}

/** The places in a route's body that may name something of a tenant: ids, and what is listed here. */
export function bodyPlacesOf(route: Route): string[] {
  const listed = Object.keys(BODY_REFERENCES).filter((name) => name.startsWith(`${route.id} `));
  return [...new Set([...idsIn(route.body), ...listed.map((name) => name.split(' ')[1] ?? '')])];
}

export function bodyReference(route: Route, place: string): BodyReference {
  const name = `${route.id} ${place}`;
  return BODY_REFERENCES[name] ?? missing(`the id in a body, "${name}"`, 'BODY_REFERENCES');
}

/** A granted request of the route, its path parameters aside. */
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

/** Where in a schema an id stands, as JSON pointers; `*` is any element of a list. */
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
