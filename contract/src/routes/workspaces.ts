import Type from 'typebox';
import { pathId, UserIdSchema, WorkspaceIdSchema } from '../ids.ts';
import { listOf, listQuery, OF_TENANT } from '../list.ts';
import { MemberRecord, WorkspaceRecord } from '../records/workspace.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { booleanText, deleted, displayName, Slug, SORT_BY_AGE } from './fields.ts';

const BASE = `${API_BASE}/workspaces` as const;
const workspacePath = Type.Object({ workspace_id: pathId(WorkspaceIdSchema) });
const memberPath = Type.Object({
  workspace_id: pathId(WorkspaceIdSchema),
  user_id: pathId(UserIdSchema),
});

export const listWorkspaces = route({
  id: 'workspaces.list',
  method: 'GET',
  path: BASE,
  access: { scope: 'read:workspaces' },
  summary: 'List workspaces',
  description: 'Newest first.',
  query: closed({ ...listQuery, ...OF_TENANT, sort: SORT_BY_AGE }),
  ok: { status: 200, body: listOf(WorkspaceRecord) },
  errors: ['VALIDATION_FAILED'],
});

export const createWorkspace = route({
  id: 'workspaces.create',
  method: 'POST',
  path: BASE,
  access: { scope: 'write:workspaces' },
  summary: 'Create a workspace',
  description: 'Creates an active workspace without members.',
  body: closed(
    { name: displayName('Research'), slug: Type.Optional(Slug) },
    { examples: [{ name: 'Research', slug: 'research' }] },
  ),
  idempotent: true,
  ok: { status: 201, body: WorkspaceRecord },
  errors: ['VALIDATION_FAILED', 'SLUG_TAKEN'],
});

export const getWorkspace = route({
  id: 'workspaces.get',
  method: 'GET',
  path: `${BASE}/:workspace_id`,
  access: { scope: 'read:workspaces' },
  summary: 'Get a workspace',
  description: 'Returns the workspace. Its members are listed separately.',
  params: workspacePath,
  ok: { status: 200, body: WorkspaceRecord },
  errors: ['NOT_FOUND'],
});

export const updateWorkspace = route({
  id: 'workspaces.update',
  method: 'PATCH',
  path: `${BASE}/:workspace_id`,
  access: { scope: 'write:workspaces' },
  summary: 'Update a workspace',
  description:
    'Users cannot sign in to an inactive workspace. If a member of the workspace holds permissions that you do not hold, you can rename it but not change `is_active`.',
  params: workspacePath,
  body: closed(
    {
      name: Type.Optional(displayName('Research')),
      is_active: Type.Optional(
        Type.Boolean({
          description:
            'Whether the workspace is active. Users cannot sign in to an inactive workspace.',
        }),
      ),
    },
    { minProperties: 1 },
  ),
  ok: { status: 200, body: WorkspaceRecord },
  errors: ['NOT_FOUND', 'SCOPE_NOT_HELD', 'PRINCIPAL_PROTECTED', 'DEFAULT_WORKSPACE_PROTECTED'],
});

export const deleteWorkspace = route({
  id: 'workspaces.delete',
  method: 'DELETE',
  path: `${BASE}/:workspace_id`,
  access: { scope: 'delete:workspaces' },
  summary: 'Delete a workspace',
  description:
    'A workspace that is in use is not deleted, and the error lists what uses it. With `force=true`, its members leave it, its sessions end, and its agents become inactive and move to `ws_default`. You cannot delete a workspace if one of its members holds permissions that you do not hold.',
  params: workspacePath,
  query: closed({
    force: Type.Optional(booleanText('With `true`, deletes the workspace even if it is in use.')),
  }),
  ok: { status: 200, body: deleted(WorkspaceIdSchema) },
  errors: [
    'NOT_FOUND',
    'IN_USE',
    'SCOPE_NOT_HELD',
    'PRINCIPAL_PROTECTED',
    'DEFAULT_WORKSPACE_PROTECTED',
  ],
});

export const listMembers = route({
  id: 'workspaces.list_members',
  method: 'GET',
  path: `${BASE}/:workspace_id/members`,
  access: { scope: 'read:workspaces' },
  summary: 'List the members of a workspace',
  description: 'Every user of the tenant is a member of `ws_default`.',
  params: workspacePath,
  query: closed({ ...listQuery }),
  ok: { status: 200, body: listOf(MemberRecord) },
  errors: ['VALIDATION_FAILED', 'NOT_FOUND'],
});

export const addMember = route({
  id: 'workspaces.add_member',
  method: 'PUT',
  path: `${BASE}/:workspace_id/members/:user_id`,
  access: { scope: 'write:workspaces' },
  summary: 'Add a user to a workspace',
  description:
    'Adding a member again changes nothing. You cannot add a user who holds permissions that you do not hold.',
  params: memberPath,
  ok: { status: 200, body: MemberRecord },
  errors: ['NOT_FOUND', 'SCOPE_NOT_HELD', 'PRINCIPAL_PROTECTED'],
});

export const removeMember = route({
  id: 'workspaces.remove_member',
  method: 'DELETE',
  path: `${BASE}/:workspace_id/members/:user_id`,
  access: { scope: 'write:workspaces' },
  summary: 'Remove a user from a workspace',
  description:
    'You cannot remove a user who holds permissions that you do not hold. A user cannot leave `ws_default`.',
  params: memberPath,
  ok: { status: 200, body: deleted(UserIdSchema) },
  errors: ['NOT_FOUND', 'SCOPE_NOT_HELD', 'PRINCIPAL_PROTECTED', 'DEFAULT_WORKSPACE_PROTECTED'],
});
