import type { home as english } from '../en/home.ts';
import type { Translation } from '../format.ts';

export const home: Translation<typeof english> = {
  // Overview
  attention: 'À surveiller',
  'attention.keyEnds': {
    one: '{count} clé ne signe plus : ses derniers jetons expirent d’ici un jour, et les vérificateurs ont besoin de la nouvelle',
    other:
      '{count} clés ne signent plus : leurs derniers jetons expirent d’ici un jour, et les vérificateurs ont besoin des nouvelles',
    many: '{count} clés ne signent plus : leurs derniers jetons expirent d’ici un jour, et les vérificateurs ont besoin des nouvelles',
  },
  'attention.keyOld': {
    one: '{count} clé signe depuis 11 mois ou plus : renouvelez-la',
    other: '{count} clés signent depuis 11 mois ou plus : renouvelez-les',
    many: '{count} clés signent depuis 11 mois ou plus : renouvelez-les',
  },
  'attention.hookDisabled': {
    one: '{count} webhook a été désactivé, car ses envois échouaient',
    other: '{count} webhooks ont été désactivés, car leurs envois échouaient',
    many: '{count} webhooks ont été désactivés, car leurs envois échouaient',
  },
  'attention.hookFails': {
    one: 'Les envois de {count} webhook échouent',
    other: 'Les envois de {count} webhooks échouent',
    many: 'Les envois de {count} webhooks échouent',
  },
  'attention.administrator': {
    one: '{count} administrateur ne s’est jamais connecté',
    other: '{count} administrateurs ne se sont jamais connectés',
    many: '{count} administrateurs ne se sont jamais connectés',
  },
  'attention.message': {
    one: '{count} message des 30 derniers jours n’a pas pu être envoyé',
    other: '{count} messages des 30 derniers jours n’ont pas pu être envoyés',
    many: '{count} messages des 30 derniers jours n’ont pas pu être envoyés',
  },

  // Filters of users
  hasLoggedIn: 'Connexions',
  onceLoggedIn: 'S’est connecté',
  neverLoggedIn: 'Jamais connecté',
  lastLoginBefore: 'Dernière connexion avant',

  // Defaults of settings
  notDefault: 'Modifié',
  toDefault: 'Revenir à la valeur par défaut',
  toDefaultUnsaved: 'La valeur par défaut s’applique une fois enregistrée.',

  // Mail
  mail: 'Messagerie',
  mailServer: 'Serveur de messagerie',
  mailOwn: 'Les mails passent par ce serveur.',
  mailNone:
    'Pas de serveur de messagerie à vous : il faut au moins un serveur et un expéditeur. D’ici là, les mails passent par le serveur de l’opérateur, s’il en a un.',
  mailPasswordKept:
    'Un mot de passe est enregistré. Il reste tant que son champ est vide. Un autre serveur ou nom d’utilisateur en a de nouveau besoin.',
  mailTakeBack: 'Retirer le serveur de messagerie',
  mailTakeBackTitle: 'Retirer le serveur de messagerie ?',
  mailTakeBackHint:
    'Son adresse, son nom d’utilisateur et son mot de passe sont supprimés. Les mails passent alors par le serveur de l’opérateur. Sans lui, aucun mail n’est envoyé et personne ne peut se connecter par mail.',
  mailTakenBack: 'Serveur de messagerie retiré.',
  mailAccepted: 'Le serveur l’a accepté.',
  'security.tls': 'TLS dès le début',
  'security.starttls': 'STARTTLS, obligatoire',
  'security.none': 'Aucune',

  // Domains
  tenantDomain: 'Nom d’hôte',
  tenantDomainHint:
    'Un domaine n’appartient qu’à un seul locataire. Faites ensuite pointer le DNS vers ce service, comme indiqué ci-dessus.',
  tenantDomainAdded: '{name} ajouté. Faites maintenant pointer le DNS vers ce service.',
  tenantDomainRemoveHint:
    'Les requêtes vers cet hôte n’appartiennent plus au locataire. Qui s’y connecte, y compris à la console, a besoin d’une autre adresse.',
  tenantDomainsByOthers:
    'Les administrateurs système ajoutent et retirent les domaines : demandez-leur.',

  // Fields of the API
  'name.smtp_host': 'Serveur',
  'name.smtp_port': 'Port',
  'name.smtp_security': 'Chiffrement',
  'name.smtp_username': 'Nom d’utilisateur',
  'name.smtp_password': 'Mot de passe',
  'name.from_address': 'Expéditeur',
  'name.from_name': 'Nom de l’expéditeur',
  'name.reply_to': 'Réponses à',
};
