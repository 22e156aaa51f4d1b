import type { Invitation } from '@keywright/sdk';
import { Action } from '../../parts/action.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';

interface Props {
  readonly invitation: Invitation;
}

/** The actions on an invitation while it can still be accepted. */
export function InvitationActions({ invitation }: Props) {
  const { can } = useCaller();
  if (invitation.status !== 'pending') return null;
  return (
    <>
      {can('write:users') && <Resend invitation={invitation} />}
      {can('delete:users') && <Revoke invitation={invitation} />}
    </>
  );
}

function Resend({ invitation: { id, identifier: name } }: Props) {
  const { say } = useTexts();
  return (
    <Action
      route="invitations.resend"
      input={{ params: { invitation_id: id } }}
      icon="send"
      verb={say('invitationResend')}
      title={say('invitationResendTitle', { name })}
      done={say('invitationResent', { name })}
      isBad={false}
    >
      <p>{say('invitationResendHint')}</p>
    </Action>
  );
}

function Revoke({ invitation: { id, identifier: name } }: Props) {
  const { say } = useTexts();
  return (
    <Action
      route="invitations.delete"
      input={{ params: { invitation_id: id } }}
      icon="ban"
      verb={say('revoke')}
      title={say('invitationRevokeTitle', { name })}
      done={say('revoked', { name })}
    >
      <p>{say('invitationRevokeHint')}</p>
    </Action>
  );
}
