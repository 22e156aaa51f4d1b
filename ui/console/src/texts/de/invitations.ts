import type { invitations as english } from '../en/invitations.ts';
import type { Translation } from '../format.ts';

export const invitations: Translation<typeof english> = {
  // Invitations
  invitations: 'Einladungen',
  invite: 'Person einladen',
  inviteHint:
    'Die Person bekommt eine E-Mail mit einem Link. Die Antwort ist dieselbe, ob diese Adresse schon jemandem gehört oder nicht.',
  invited: '{name} eingeladen.',
  invitationsEmpty:
    'Noch keine Einladungen. Mit einer Einladung tritt eine Person über einen Link bei, auch wo sich niemand registrieren kann.',
  invitation: 'Einladung',
  'invitation.pending': 'Offen',
  'invitation.accepted': 'Angenommen',
  'invitation.revoked': 'Widerrufen',
  'invitation.expired': 'Abgelaufen',
  invitedBy: 'Eingeladen von',
  lastSent: 'Zuletzt gesendet',
  acceptedBy: 'Angenommen von',
  invitationResend: 'Erneut senden',
  invitationResendTitle: 'Einladung an {name} erneut senden?',
  invitationResendHint:
    'Es ist derselbe Link, der zur selben Zeit abläuft. Frühere Nachrichten bleiben gültig.',
  invitationResent: 'Einladung an {name} erneut gesendet.',
  invitationRevokeTitle: 'Einladung von {name} widerrufen?',
  invitationRevokeHint:
    'Der Link funktioniert nicht mehr, und wer sie gerade annimmt, kommt nicht zu Ende. Wer beigetreten ist, bleibt.',
  'name.locale': 'Sprache',
};
