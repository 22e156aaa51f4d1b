import type { User } from '@keywright/sdk';
import { userUpdate } from '../../generated/facts.ts';
import { RolesNote } from '../../parts/form/choice-notes.tsx';
import { useRoleFacts } from '../../parts/form/role-facts.ts';
import { useWorkspaceFacts } from '../../parts/form/workspace-facts.ts';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { EditCard } from '../shared/edit-card.tsx';
import { YouNote } from '../shared/you-note.tsx';

const FIELDS = ['roles', 'workspaces'];

interface Props {
  readonly user: User;
  readonly isNarrow?: boolean;
}

/** The roles and workspaces of a user. */
export function RolesCard({ user, isNarrow = false }: Props) {
  const { say } = useTexts();
  const { id } = useCaller();
  return (
    <EditCard
      title={say(isNarrow ? 'access' : 'rolesAndWorkspaces')}
      route="users.update"
      scope="write:users"
      facts={useWorkspaceFacts(useRoleFacts(userUpdate))}
      fields={FIELDS}
      params={{ user_id: user.id }}
      present={user}
      isNarrow={isNarrow}
      notes={<RolesNote />}
      preview={({ roles }) =>
        id === user.id && losesRole(user, roles) && <YouNote text="youLosePermissions" />
      }
    />
  );
}

function losesRole(user: User, roles: unknown): boolean {
  return Array.isArray(roles) && user.roles.some((role) => !roles.includes(role));
}
