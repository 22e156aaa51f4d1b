import type { Invitation } from '@keywright/sdk';
import { Action } from '../../parts/action.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';

interface Props {
  readonly invitation: Invitation;
  readonly isSmall?: boolean;
}

/** The actions on an invitation while it can still be accepted. */
export function InvitationActions({ invitation, isSmall = false }: Props) {
  const { can } = useCaller();
  if (invitation.status !== 'pending') return null;
  return (
    <span className="actions">
      {can('write:users') && <Resend invitation={invitation} isSmall={isSmall} />}
      {can('delete:users') && <Revoke invitation={invitation} isSmall={isSmall} />}
    </span>
  );
}

function Resend({ invitation: { id, identifier: name }, isSmall = false }: Props) {
  const { say } = useTexts();
  return (
    <Action
      route="invitations.resend"
      input={{ params: { invitation_id: id } }}
      verb={say('invitationResend')}
      title={say('invitationResendTitle', { name })}
      done={say('invitationResent', { name })}
      isBad={false}
      isSmall={isSmall}
    >
      <p>{say('invitationResendHint')}</p>
    </Action>
  );
}

function Revoke({ invitation: { id, identifier: name }, isSmall = false }: Props) {
  const { say } = useTexts();
  return (
    <Action
      route="invitations.delete"
      input={{ params: { invitation_id: id } }}
      icon="ban"
      verb={say('revoke')}
      title={say('invitationRevokeTitle', { name })}
      done={say('revoked', { name })}
      isSmall={isSmall}
    >
      <p>{say('invitationRevokeHint')}</p>
    </Action>
  );
}
