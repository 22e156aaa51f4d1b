import type { invitations as english } from '../en/invitations.ts';
import type { Translation } from '../format.ts';

export const invitations: Translation<typeof english> = {
  // Invitations
  invitations: 'Invitaciones',
  invite: 'Invitar a una persona',
  inviteHint:
    'La persona recibe un correo con un enlace. La respuesta es la misma tanto si alguien ya tiene esta dirección como si no.',
  invited: 'Se invitó a {name}.',
  invitationsEmpty:
    'Aún no hay invitaciones. Una invitación permite unirse con un enlace, también donde nadie puede registrarse.',
  invitation: 'Invitación',
  'invitation.pending': 'Pendiente',
  'invitation.accepted': 'Aceptada',
  'invitation.revoked': 'Revocada',
  'invitation.expired': 'Caducada',
  invitedBy: 'Invitado por',
  lastSent: 'Último envío',
  acceptedBy: 'Aceptada por',
  invitationResend: 'Enviar de nuevo',
  invitationResendTitle: '¿Enviar de nuevo la invitación a {name}?',
  invitationResendHint:
    'Es el mismo enlace, que caduca igual que antes. Los mensajes anteriores siguen valiendo.',
  invitationResent: 'Se envió de nuevo la invitación a {name}.',
  invitationRevokeTitle: '¿Revocar la invitación de {name}?',
  invitationRevokeHint:
    'El enlace deja de funcionar y quien la esté aceptando no puede terminar. Quien ya se unió permanece.',
  'name.locale': 'Idioma',
};
