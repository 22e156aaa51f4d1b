import type { Message } from '../format.ts';

export const invitations = {
  // Invitations
  invitations: 'Invitations',
  invite: 'Invite a person',
  inviteHint:
    'They get a mail with a link. The answer is the same whether or not somebody has this address already.',
  invited: 'Invited {name}.',
  invitationsEmpty:
    'No invitations yet. An invitation lets a person join by a link, also where nobody can register.',
  invitation: 'Invitation',
  'invitation.pending': 'Pending',
  'invitation.accepted': 'Accepted',
  'invitation.revoked': 'Revoked',
  'invitation.expired': 'Expired',
  invitedBy: 'Invited by',
  lastSent: 'Last sent',
  acceptedBy: 'Accepted by',
  invitationResend: 'Send again',
  invitationResendTitle: 'Send the invitation to {name} again?',
  invitationResendHint: 'It is the same link, which expires as before. Earlier messages stay good.',
  invitationResent: 'Sent the invitation to {name} again.',
  invitationRevokeTitle: 'Revoke the invitation of {name}?',
  invitationRevokeHint:
    'The link no longer works, and whoever is just accepting it cannot finish. A user who joined stays.',
  'name.locale': 'Language',
} as const satisfies Readonly<Record<string, Message>>;
