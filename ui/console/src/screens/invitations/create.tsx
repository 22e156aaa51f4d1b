import { RolesNote, useAreListsLoading, WorkspacesNote } from '../../parts/form/choice-notes.tsx';
import { useClientFacts } from '../../parts/form/client-facts.ts';
import { useRoleFacts } from '../../parts/form/role-facts.ts';
import { useWorkspaceFacts } from '../../parts/form/workspace-facts.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Creation } from '../shared/creation.tsx';
import { INVITATION_FACTS } from '../shared/invitation-facts.ts';
import { INVITATIONS } from './place.ts';

export function InvitationCreation() {
  const { say } = useTexts();
  return (
    <Creation
      route="invitations.create"
      isLoading={useAreListsLoading()}
      facts={useClientFacts(useWorkspaceFacts(useRoleFacts(INVITATION_FACTS)))}
      notes={
        <>
          <RolesNote />
          <WorkspacesNote />
        </>
      }
      title={say('invite')}
      about={say('inviteHint')}
      from={{ to: INVITATIONS, title: say('invitations') }}
      nameOf={({ identifier }) => identifier}
      done="invited"
      to={({ id }) => `${INVITATIONS}/${id}`}
    />
  );
}
