import { userCreate } from '../../generated/facts.ts';
import { RolesNote, useAreListsLoading, WorkspacesNote } from '../../parts/form/choice-notes.tsx';
import { useClientFacts } from '../../parts/form/client-facts.ts';
import { useRoleFacts } from '../../parts/form/role-facts.ts';
import { useWorkspaceFacts } from '../../parts/form/workspace-facts.ts';
import { Tabs, useTab } from '../../parts/tabs.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { INVITATIONS } from '../invitations/place.ts';
import { Creation } from '../shared/creation.tsx';
import { INVITATION_FACTS } from '../shared/invitation-facts.ts';
import { nameOfUser } from '../../api/users.ts';
import { usePasswordFacts } from './password-facts.ts';

const TABS = [
  { id: '', title: 'byInvitation' },
  { id: 'password', title: 'byPassword' },
] as const;

/** An invited person chooses their own password, so that comes first. */
export function UserCreation() {
  const isByPassword = useTab() === 'password';
  return isByPassword ? <WithPassword /> : <WithInvitation />;
}

function Ways() {
  const { say } = useTexts();
  return <Tabs label={say('userCreate')} path="/users/new" tabs={TABS} />;
}

function WithInvitation() {
  const { say } = useTexts();
  return (
    <Creation
      key="invitation"
      route="invitations.create"
      isLoading={useAreListsLoading()}
      facts={useClientFacts(useWorkspaceFacts(useRoleFacts(INVITATION_FACTS)))}
      notes={
        <>
          <Ways />
          <RolesNote />
          <WorkspacesNote />
        </>
      }
      title={say('userCreate')}
      submit={say('invite')}
      about={say('inviteHint')}
      from={{ to: '/users', title: say('users') }}
      nameOf={({ identifier }) => identifier}
      done="invited"
      to={({ id }) => `${INVITATIONS}/${id}`}
    />
  );
}

function WithPassword() {
  const { say } = useTexts();
  return (
    <Creation
      key="password"
      route="users.create"
      isLoading={useAreListsLoading()}
      facts={usePasswordFacts(useRoleFacts(userCreate))}
      notes={
        <>
          <Ways />
          <RolesNote />
        </>
      }
      title={say('userCreate')}
      about={say('userCreateHint')}
      from={{ to: '/users', title: say('users') }}
      nameOf={nameOfUser}
      to={({ id }) => `/users/${id}`}
    />
  );
}
