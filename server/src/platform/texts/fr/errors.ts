import type { ERRORS as English } from '../en/errors.ts';
import type { Translated } from '../keys.ts';

export const ERRORS: Translated<typeof English> = {
  'error.tenant_not_found.title': 'Il n’y a personne ici',
  'error.tenant_not_found':
    'Aucune organisation n’a cette adresse. Vérifiez-la, ou retournez d’où vous venez.',
  'error.tenant_inactive.title': 'Cette organisation est fermée pour le moment',
  'error.tenant_inactive': 'Personne ne peut s’y connecter. Adressez-vous à son responsable.',
  'error.form_too_old.title': 'Cette page est trop ancienne',
  'error.form_too_old': 'Retournez à l’application et connectez-vous à nouveau.',
  'error.cookie_refused.title': 'Votre navigateur a refusé un cookie',
  'error.cookie_refused':
    'Une connexion en a besoin jusqu’à ce qu’elle soit terminée. Autorisez les cookies pour ce site. Retournez à l’application et connectez-vous à nouveau.',
  'error.origin_refused.title': 'Ce formulaire provient d’un autre site',
  'error.origin_refused':
    'Il n’a eu aucun effet. Retournez à l’application et connectez-vous à nouveau.',
  'error.request_invalid.title': 'Cette application ne peut pas vous connecter',
  'error.request_invalid':
    'Sa demande est incorrecte, rien ne lui a donc été renvoyé. Prévenez son responsable.',
  'error.oauth_off.title': 'Les applications ne peuvent pas vous connecter ici',
  'error.oauth_off': 'Cette organisation l’a désactivé. Adressez-vous à son responsable.',
  'error.issuer_elsewhere.title': 'La connexion se fait à une autre adresse',
  'error.issuer_elsewhere': 'Retournez à l’application et connectez-vous à nouveau.',
  'error.provider_refused.title': 'La connexion n’a pas été confirmée',
  'error.provider_refused':
    'Elle a pris trop de temps, ou a déjà servi. Retournez à l’application et connectez-vous à nouveau.',
  'error.address_incomplete.title': 'Cette adresse est incomplète',
  'error.address_incomplete': 'Retournez à l’application et connectez-vous à nouveau.',
  'error.unavailable.title': 'Un instant, s’il vous plaît',
  'error.unavailable':
    'Le service redémarre ou est très sollicité. Rechargez cette page dans un instant.',
  'error.internal.title': 'Une erreur s’est produite',
  'error.internal':
    'Vous n’y êtes pour rien. Réessayez. Si l’erreur persiste, communiquez le numéro ci-dessous au responsable de ce service.',
  'error.wait':
    'Réessayez {minutes, plural, one {dans une minute} many {dans # minutes} other {dans # minutes}}.',
};
