import Type from 'typebox';
import { pathId, WorkspaceIdSchema } from '../ids.ts';
import { listOf, listQuery } from '../list.ts';
import { WorkspaceRecord } from '../records/workspace.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { deleted } from './fields.ts';

const ME_BASE = `${API_BASE}/me/workspaces` as const;

export const listOwnWorkspaces = route({
  id: 'workspaces.list_own',
  method: 'GET',
  path: ME_BASE,
  access: 'user',
  summary: 'List the caller’s workspaces',
  description:
    'Returns the default workspace, which all users are members of, and the workspaces that the caller was added to.',
  query: closed({ ...listQuery }),
  ok: { status: 200, body: listOf(WorkspaceRecord) },
  errors: ['VALIDATION_FAILED'],
});

export const leaveWorkspace = route({
  id: 'workspaces.leave',
  method: 'DELETE',
  path: `${ME_BASE}/:workspace_id`,
  access: 'user',
  summary: 'Leave a workspace',
  description:
    'You cannot leave the default workspace. Sessions in the workspace continue until they expire.',
  params: Type.Object({ workspace_id: pathId(WorkspaceIdSchema) }),
  ok: { status: 200, body: deleted(WorkspaceIdSchema) },
  errors: ['NOT_FOUND', 'DEFAULT_WORKSPACE_PROTECTED'],
});

export const ME_WORKSPACE_ROUTES = [listOwnWorkspaces, leaveWorkspace] as const;
