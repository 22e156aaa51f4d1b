import type { CONSENT as English } from '../en/consent.ts';
import type { Translated } from '../keys.ts';

export const CONSENT: Translated<typeof English> = {
  'consent.title': 'Autoriser {client} à utiliser votre compte ?',
  'consent.lead': 'Vous êtes {identifier} chez {tenant}.',
  'consent.new': 'L’application pourra',
  'consent.known': 'Elle peut déjà',
  'consent.particular': 'En particulier',
  'consent.yes': 'Oui',
  'consent.no': 'Non',
  'consent.host':
    'Vous retournez vers <b>{host}</b>. Vous pouvez revenir sur votre choix à tout moment.',
  'consent.new_address':
    'Cette application vous renvoie désormais vers une nouvelle adresse : <b>{host}</b>.',
  'consent.about': 'À propos de {client}',
  'consent.run_by': 'Exploitée par',
  'consent.unverified':
    'Non vérifiée : cette application s’est enregistrée elle-même. Son nom peut être faux.',
  'consent.allow': 'Autoriser',
  'consent.deny': 'Ne pas autoriser',

  'scope.openid': 'Savoir que c’est vous',
  'scope.profile': 'Lire votre nom et votre profil',
  'scope.email': 'Lire votre adresse e-mail',
  'scope.phone': 'Lire votre numéro de téléphone',
  'scope.offline_access': 'Conserver son accès en votre absence',
  'scope.read': 'Lire : {what}',
  'scope.write': 'Modifier : {what}',
  'scope.delete': 'Supprimer : {what}',
  'scope.all': 'Lire, modifier et supprimer : {what}',
  'scope.everything': 'tout ce qui vous est permis',
  'scope.use': 'L’utiliser en votre nom',
  'scope.at': '{resource} : {what}',

  'accounts.title': 'Choisissez un compte',
  'accounts.continue': 'Continuer en tant que {identifier}',

  'confirm.title': 'Continuer vers {client} ?',
  'confirm.lead':
    'Un programme de cet appareil demande à utiliser votre compte et reçoit la réponse sur <b>{host}</b>. Si vous ne venez pas d’ouvrir cette application, annulez.',
  'confirm.cancel': 'Annuler',

  'logout.title': 'Se déconnecter de {tenant} ?',
  'logout.lead': 'Vous êtes connecté en tant que {identifier}.',
  'logout.applications':
    'Les applications que vous avez ouvertes avec cette connexion y mettent fin aussi.',
  'logout.return': 'Vous retournerez ensuite vers <b>{host}</b>.',
  'logout.no_return':
    'Vous ne retournez pas à l’application : il n’a pas été possible de vérifier qu’elle a fait cette demande.',
  'logout.submit': 'Se déconnecter',
  'logout.stay': 'Rester connecté',
  'logout.done': 'Vous êtes déconnecté',
  'logout.told': 'Ces applications sont informées :',
  'logout.waiting': 'Celles-ci n’ont pas encore répondu :',
  'logout.again': 'Voir si elles ont répondu',
  'logout.failed': 'Celles-ci n’ont pas répondu. Déconnectez-vous-en vous-même :',
  'logout.not_told': 'Celles-ci ne le sont pas. Déconnectez-vous-en vous-même :',
  'logout.stayed': 'Vous êtes toujours connecté',
  'logout.close': 'Vous pouvez fermer cette page.',
};
