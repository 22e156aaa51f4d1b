import Type, { type Static } from 'typebox';
import { WorkspaceIdSchema } from '../ids.ts';
import { UserDependents } from './dependents.ts';
import { nameOf } from './record-fields.ts';

const { user_id, tenant_id, sessions, agents, api_keys, delegations } = UserDependents.properties;

/** Workspaces that are listed. */
export const LISTED_WORKSPACES = 100;

export const AccountDeletion = Type.Object(
  {
    user_id,
    tenant_id,
    allowed: Type.Boolean({
      description: 'Whether users of this tenant can delete their accounts.',
    }),
    sessions,
    agents,
    api_keys,
    delegations,
    consents: Type.Integer({
      description: 'Number of applications that the user has consented to.',
      examples: [1],
    }),
    workspaces: Type.Array(
      Type.Object({
        id: WorkspaceIdSchema,
        tenant_id,
        name: nameOf('Display name.', 'Research'),
        is_only_member: Type.Boolean({
          description:
            'Whether the user is the only member, so that the workspace would be left without members.',
        }),
      }),
      { maxItems: LISTED_WORKSPACES, description: 'Workspaces that the user leaves.' },
    ),
  },
  {
    $id: 'AccountDeletion',
    description:
      'The effect of an account deletion. Live sessions, delegations, consents and memberships are deleted. Owned agents become inactive, and their keys and delegations are revoked.',
  },
);
export type AccountDeletion = Static<typeof AccountDeletion>;
