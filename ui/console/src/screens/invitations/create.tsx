import type { FieldFacts } from '../../api/field-facts.ts';
import { invitationCreate } from '../../generated/facts.ts';
import { RolesNote, WorkspacesNote } from '../../parts/form/choice-notes.tsx';
import { useRoleFacts } from '../../parts/form/role-facts.ts';
import { useWorkspaceFacts } from '../../parts/form/workspace-facts.ts';
import { LOCALES, nameOfLanguage } from '../../texts/locales.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Creation } from '../shared/creation.tsx';
import { INVITATIONS } from './place.ts';

const WORDS = Object.fromEntries(LOCALES.map((one) => [one, nameOfLanguage(one)]));

/** Messages have texts in the languages of the console. */
const FACTS: readonly FieldFacts[] = invitationCreate.map((one) =>
  one.name === 'locale'
    ? Object.assign({}, one, { kind: 'choice', choices: LOCALES, words: WORDS })
    : one,
);

export function InvitationCreation() {
  const { say } = useTexts();
  return (
    <Creation
      route="invitations.create"
      facts={useWorkspaceFacts(useRoleFacts(FACTS))}
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
