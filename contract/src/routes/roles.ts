import Type from 'typebox';
import { pathId } from '../ids.ts';
import { listOf, listQuery } from '../list.ts';
import { RoleName, RoleRecord } from '../records/role.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { booleanText, description, scopes } from './fields.ts';

const BASE = `${API_BASE}/roles` as const;
const rolePath = Type.Object({ role: pathId(RoleName) });

export const listRoles = route({
  id: 'roles.list',
  method: 'GET',
  path: BASE,
  access: { scope: 'read:roles' },
  summary: 'List roles',
  description: 'Those that come with the service, and those of the tenant.',
  query: closed({ ...listQuery }),
  ok: { status: 200, body: listOf(RoleRecord) },
  errors: ['VALIDATION_FAILED'],
});

export const createRole = route({
  id: 'roles.create',
  method: 'POST',
  path: BASE,
  access: { scope: 'write:roles' },
  summary: 'Create a role',
  description: 'Nobody puts a scope into a role that they do not hold.',
  body: closed({
    name: RoleName,
    description: Type.Optional(description('Reads users and sessions')),
    scopes: scopes('What the role allows.'),
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
  summary: 'Read a role',
  description: 'With the scopes that it holds.',
  params: rolePath,
  ok: { status: 200, body: RoleRecord },
  errors: ['NOT_FOUND'],
});

export const updateRole = route({
  id: 'roles.update',
  method: 'PATCH',
  path: `${BASE}/:role`,
  access: { scope: 'write:roles' },
  summary: 'Change a role',
  description:
    'Scopes given replace the ones there. Access tokens of users who have the role are refused from then on, and refreshing gives them new ones.',
  params: rolePath,
  body: closed(
    {
      description: Type.Optional(description('Reads users and sessions')),
      scopes: Type.Optional(scopes('What the role allows, in place of what it allows now.')),
    },
    { minProperties: 1 },
  ),
  ok: { status: 200, body: RoleRecord },
  errors: ['NOT_FOUND', 'SCOPE_NOT_HELD', 'BUILTIN_ROLE_PROTECTED'],
});

export const deleteRole = route({
  id: 'roles.delete',
  method: 'DELETE',
  path: `${BASE}/:role`,
  access: { scope: 'delete:roles' },
  summary: 'Delete a role',
  description:
    'One that is in use is kept, and the answer says who has it, unless `force=true`: then they lose it.',
  params: rolePath,
  query: closed({
    force: Type.Optional(booleanText('With `true` it is deleted although it is in use.')),
  }),
  ok: {
    status: 200,
    body: Type.Object({
      name: RoleRecord.properties.name,
      deleted: Type.Literal(true, { description: 'It is gone.' }),
    }),
  },
  errors: ['NOT_FOUND', 'IN_USE', 'SCOPE_NOT_HELD', 'BUILTIN_ROLE_PROTECTED'],
});
