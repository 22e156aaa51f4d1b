import type { tenant as english } from '../en/tenant.ts';
import type { Translation } from '../format.ts';

export const tenant: Translation<typeof english> = {
  // Audit
  action: 'Action',
  outcome: 'Résultat',
  'outcome.success': 'Succès',
  'outcome.failure': 'Échec',
  'outcome.denied': 'Refusé',
  actor: 'Qui',
  onBehalfOf: 'pour',
  target: 'Sur quoi',
  when: 'Quand',
  auditEmpty: 'Rien pour l’instant.',
  ipAddress: 'Adresse',
  chainPosition: 'Place dans la chaîne',
  notSealed: 'scellé en quelques secondes',
  hash: 'Empreinte',
  around: 'Tout autour de ce moment',
  auditHint:
    'Chaque entrée est scellée dans une chaîne : aucune ne peut être modifiée ni omise sans que cela se voie.',
  from: 'Du',
  to: 'Au',
  export: 'Exporter',
  exporting: 'Exportation …',

  // Settings
  'group.logins': 'Connexion',
  'group.passwords': 'Mots de passe',
  'group.oauth': 'OAuth',
  'group.limits': 'Limites',
  'group.others': 'Autres',
  branding: 'Apparence',
  issuer: 'Émetteur',
  domains: 'Domaines',

  // Overview
  overviewNothing:
    'Vos rôles ne vous laissent rien lire de cette organisation ici. Un administrateur peut vous en donner d’autres.',
  inNumbers: 'En chiffres',
  liveSessions: 'Sessions en cours',
  setUp: 'À configurer',
  stepDone: 'Fait',
  stepOpen: 'À faire',
  'step.mail': 'Un serveur de messagerie, pour que liens et codes parviennent aux utilisateurs',
  'step.domain': 'Un domaine à vous',
  'step.branding': 'Le nom et les couleurs de vos pages',
  'step.client': 'Une première application à laquelle les utilisateurs se connectent',
  'step.administrator': 'Un second administrateur',
  welcome: 'Bienvenue',
  welcomeLead:
    'Vous êtes connecté en tant que {name}. Un tel lien ne fonctionne qu’une fois : avec une clé d’accès, vous n’aurez plus besoin de lui ni du mot de passe affiché.',
  passkeyCreate: 'Créer une clé d’accès',
  notNow: 'Plus tard',
  passkeyAdded: 'Clé d’accès ajoutée. Elle vous connecte désormais.',
  recoveryCodes: 'Vos codes de récupération',
  passkeyFailed:
    'Ce navigateur n’a créé aucune clé d’accès. Réessayez, ou faites-le plus tard dans votre compte.',
  recent: 'Changements récents',
};
