import type { Consent } from '@keywright/sdk';
import { Action } from '../../parts/action.tsx';
import { UserLink } from '../../parts/user-link.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** Revokes a user's consent to an application. */
export function ConsentEnd({ consent }: { readonly consent: Consent }) {
  const { say } = useTexts();
  const { can } = useCaller();
  const { id, client_name: name, user_id: userId } = consent;
  if (!can('delete:consents')) return null;
  return (
    <Action
      route="consents.delete"
      input={{ params: { consent_id: id } }}
      verb={say('consentEnd')}
      title={say('consentEndTitle', { name })}
      done={say('consentEnded', { name })}
      isSmall
    >
      <p>{say('consentEndHint')}</p>
      <UserLink id={userId} />
    </Action>
  );
}
