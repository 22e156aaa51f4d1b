import type { invitations as english } from '../en/invitations.ts';
import type { Translation } from '../format.ts';

export const invitations: Translation<typeof english> = {
  // Invitations
  invitations: 'Invitations',
  invite: 'Inviter une personne',
  inviteHint:
    'La personne reçoit un e-mail avec un lien. La réponse est la même, que cette adresse soit déjà utilisée ou non.',
  invited: '{name} a été invité.',
  invitationsEmpty:
    'Pas encore d’invitations. Une invitation permet de rejoindre par un lien, même là où personne ne peut s’inscrire.',
  invitation: 'Invitation',
  'invitation.pending': 'En attente',
  'invitation.accepted': 'Acceptée',
  'invitation.revoked': 'Révoquée',
  'invitation.expired': 'Expirée',
  invitedBy: 'Invité par',
  lastSent: 'Dernier envoi',
  acceptedBy: 'Acceptée par',
  invitationResend: 'Renvoyer',
  invitationResendTitle: 'Renvoyer l’invitation à {name} ?',
  invitationResendHint:
    'C’est le même lien, qui expire au même moment. Les messages précédents restent valables.',
  invitationResent: 'L’invitation a été renvoyée à {name}.',
  invitationRevokeTitle: 'Révoquer l’invitation de {name} ?',
  invitationRevokeHint:
    'Le lien ne fonctionne plus, et qui est en train d’accepter ne peut pas finir. Qui a déjà rejoint reste.',
  'name.locale': 'Langue',
};
