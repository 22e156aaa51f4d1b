import Type from 'typebox';
import { pathId } from '../ids.ts';
import { listOf, listQuery, OF_TENANT } from '../list.ts';
import { RoleName, RoleRecord } from '../records/role.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { booleanText, description, scopes, searchText } from './fields.ts';

const BASE = `${API_BASE}/roles` as const;
const rolePath = Type.Object({ role: pathId(RoleName) });

export const listRoles = route({
  id: 'roles.list',
  method: 'GET',
  path: BASE,
  access: { scope: 'read:roles' },
  summary: 'List roles',
  description: 'Returns the built-in roles and those of the tenant.',
  query: closed({
    ...listQuery,
    ...OF_TENANT,
    search: Type.Optional(searchText('Any part of the name or the description. Case-insensitive.')),
  }),
  ok: { status: 200, body: listOf(RoleRecord) },
  errors: ['VALIDATION_FAILED'],
});

export const createRole = route({
  id: 'roles.create',
  method: 'POST',
  path: BASE,
  access: { scope: 'write:roles' },
  summary: 'Create a role',
  description: 'You cannot add scopes that you do not hold.',
  body: closed({
    name: RoleName,
    description: Type.Optional(description('Reads users and sessions')),
    scopes: scopes('Permissions of the role.'),
  }),
  idempotent: true,
  ok: { status: 201, body: RoleRecord },
  errors: ['VALIDATION_FAILED', 'ROLE_TAKEN', 'SCOPE_NOT_HELD'],
});

export const getRole = route({
  id: 'roles.get',
  method: 'GET',
  path: `${BASE}/:role`,
  access: { scope: 'read:roles' },
  summary: 'Get a role',
  description: 'Returns the role with its scopes.',
  params: rolePath,
  ok: { status: 200, body: RoleRecord },
  errors: ['NOT_FOUND'],
});

export const updateRole = route({
  id: 'roles.update',
  method: 'PATCH',
  path: `${BASE}/:role`,
  access: { scope: 'write:roles' },
  summary: 'Update a role',
  description:
    '`scopes` replaces the current scopes. Access tokens of users with the role are rejected immediately; refreshing returns new ones.',
  params: rolePath,
  body: closed(
    {
      description: Type.Optional(description('Reads users and sessions')),
      scopes: Type.Optional(scopes('Replaces the permissions of the role.')),
    },
    { minProperties: 1 },
  ),
  ok: { status: 200, body: RoleRecord },
  errors: ['NOT_FOUND', 'SCOPE_NOT_HELD', 'BUILTIN_ROLE_PROTECTED', 'LAST_ADMINISTRATOR'],
});

export const deleteRole = route({
  id: 'roles.delete',
  method: 'DELETE',
  path: `${BASE}/:role`,
  access: { scope: 'delete:roles' },
  summary: 'Delete a role',
  description:
    'A role that is in use is not deleted, and the error lists its users. With `force=true`, the role is removed from its users and deleted.',
  params: rolePath,
  query: closed({
    force: Type.Optional(booleanText('With `true`, deletes the role even if it is in use.')),
  }),
  ok: {
    status: 200,
    body: Type.Object({
      name: RoleRecord.properties.name,
      deleted: Type.Literal(true, { description: 'Always `true`: the role was deleted.' }),
    }),
  },
  errors: ['NOT_FOUND', 'IN_USE', 'SCOPE_NOT_HELD', 'BUILTIN_ROLE_PROTECTED', 'LAST_ADMINISTRATOR'],
});
