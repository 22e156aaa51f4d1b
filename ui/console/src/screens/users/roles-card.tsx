import type { User } from '@keywright/sdk';
import { userUpdate } from '../../generated/facts.ts';
import { RolesNote, useAreListsLoading } from '../../parts/form/choice-notes.tsx';
import { useRoleFacts } from '../../parts/form/role-facts.ts';
import { useWorkspaceFacts } from '../../parts/form/workspace-facts.ts';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { EditCard, EditForm, type EditFormProps } from '../shared/edit-card.tsx';
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
      facts={useWorkspaceFacts(userUpdate, user.workspaces.length > 0)}
      fields={FIELDS}
      params={{ user_id: user.id }}
      present={user}
      isNarrow={isNarrow}
      form={RolesForm}
      notes={<RolesNote />}
      preview={({ roles }) =>
        id === user.id && losesRole(user, roles) && <YouNote text="youLosePermissions" />
      }
    />
  );
}

/** Chooses from the existing roles and workspaces, which are read first. */
function RolesForm({ shown, ...rest }: EditFormProps) {
  const { say } = useTexts();
  const facts = useWorkspaceFacts(useRoleFacts(shown));
  const isLoading = useAreListsLoading();
  if (isLoading) {
    return (
      <div role="status" aria-busy="true" aria-label={say('loading')}>
        <Skeleton rows={4} />
      </div>
    );
  }
  return <EditForm {...rest} shown={facts} />;
}

function losesRole(user: User, roles: unknown): boolean {
  return Array.isArray(roles) && user.roles.some((role) => !roles.includes(role));
}
