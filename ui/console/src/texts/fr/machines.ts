import type { machines as english } from '../en/machines.ts';
import type { Translation } from '../format.ts';

export const machines: Translation<typeof english> = {
  // Agents
  agentsEmpty: 'Un agent est un programme qui a ses propres permissions.',
  workspace: 'Espace de travail',
  owner: 'Propriétaire',

  // Agents and their keys
  agent: 'Agent',
  agentCreate: 'Créer un agent',
  enableAgentHint: 'Ses clés qui n’ont pas expiré sont de nouveau valides.',
  disableAgentHint: 'Ni ses clés ni ses jetons ne sont valides tant qu’il n’est pas activé :',
  deleteAgentHint:
    'Ses clés, et les délégations qu’il détient, sont supprimées avec lui. C’est irréversible.',
  apiKeyCreate: 'Créer une clé d’API',
  apiKeysEmpty: 'Pas encore de clés. Une clé est un secret avec lequel l’agent appelle l’API.',
  allOfAgent: 'tous ceux de l’agent',
  addresses: 'Adresses',
  rotateKeyHint: 'Une nouvelle clé est créée et montrée une fois.',
  revokeKeyHint:
    'Elle est refusée dès la prochaine requête. Les services qui vérifient eux-mêmes l’apprennent en quelques secondes.',

  // Signing keys
  signingKeysHint: 'Elles signent les jetons que chaque service vérifie lui-même.',
  algorithm: 'Algorithme',
  signsFrom: 'Signe à partir de',
  'key.next': 'Suivante',
  'key.current': 'Signe',
  'key.previous': 'Précédente',
  'key.retired': 'Retirée',
  rotateSigningHint:
    'Une nouvelle clé est publiée maintenant, et signe dès que tous les services qui vérifient la connaissent.',
  rotateNow: 'Renouveler immédiatement',
  rotateNowTitle: 'Renouveler {name} immédiatement ?',
  rotateNowHint:
    'Pour une clé compromise. La nouvelle signe immédiatement : les services qui ont une copie plus ancienne des clés refusent ses jetons jusqu’à ce qu’ils les relisent.',
  retire: 'Retirer',
  retireTitle: 'Retirer cette clé ?',
  retireHint:
    'Tous les jetons qu’elle a signés sont refusés désormais, et sa clé privée est détruite. Les sessions continuent par renouvellement.',
  retired: 'Clé retirée.',

  // OAuth clients
  clientCreate: 'Enregistrer un client',
  clientsEmpty: 'Un client est une application à laquelle les utilisateurs se connectent.',
  'group.security': 'Sécurité et jetons',
  'group.about': 'Montré aux utilisateurs',
  redirectUris: 'URI de redirection',
  'client.web': 'Web, sur un serveur',
  'client.spa': 'Dans un navigateur',
  'client.native': 'Sur un appareil',
  secrets: 'Secrets',
  secretsEmpty: 'Il n’a pas de secret.',
  secretCreate: 'Créer un secret',
  secretCreateTitle: 'Créer un autre secret ?',
  secretCreateHint:
    'Pour un renouvellement : les deux sont valides jusqu’à ce que l’un soit supprimé.',
  secretCreated: 'Secret créé.',
  secretDeleteTitle: 'Supprimer ce secret ?',
  secretDeleteHint: 'Il est refusé dès la prochaine requête.',
  secretDeleted: 'Secret supprimé.',
  deleteClientHint:
    'Ses secrets et les consentements des utilisateurs sont supprimés avec lui, et ses sessions prennent fin. C’est irréversible.',

  // Webhooks
  webhookCreate: 'Enregistrer un webhook',
  webhooksEmpty: 'Un webhook est une adresse à laquelle des événements sont envoyés.',
  address: 'Adresse',
  events: 'Événements',
  event: 'Événement',
  failing: 'En échec',
  failingSince: 'En échec depuis',
  disabledByService: 'Désactivé par le service',
  disabledReason: 'Pourquoi le service l’a désactivé',
  overlapEnds: 'Le secret précédent est valide jusqu’à',
  deliveries: 'Livraisons',
  deliveriesEmpty: 'Rien n’a encore été envoyé.',
  'delivery.pending': 'En attente',
  'delivery.delivered': 'Livré',
  'delivery.failed': 'Échoué',
  attempts: 'Tentatives',
  answer: 'Réponse',
  lastAttempt: 'Dernière tentative',
  attempt: 'Tentative',
  tookMs: '{ms} ms',
  nextAttempt: 'Prochaine tentative',
  webhookTest: 'Envoyer un test',
  webhookTestTitle: 'Envoyer un événement de test ?',
  webhookTestHint:
    'Un événement webhook.test est envoyé à cette adresse seulement. Sa livraison montre le résultat.',
  webhookTested: 'Événement de test mis en file.',
  webhookRotate: 'Renouveler le secret',
  webhookRotateHint:
    'Un nouveau secret est créé et affiché une fois. Les deux signent jusqu’à la fin du précédent.',
  deleteWebhookHint: 'Plus rien ne lui est envoyé, et ses livraisons ne sont plus lisibles.',
  sendAgain: 'Renvoyer',
  sendAgainTitle: 'Renvoyer cet événement ?',
  sendAgainHint: 'Tout recommence à la première tentative, quel qu’ait été le résultat.',
  sentAgain: 'Événement mis en file.',
  replayAfter: 'Rejouer à partir d’ici',
  replayTitle: 'Renvoyer tout ce qui suit cet événement ?',
  replayHint:
    'Jusqu’à 1 000 événements auxquels le webhook est abonné sont renvoyés, dans l’ordre.',
  replayed: {
    one: '{count} événement mis en file.',
    many: '{count} événements mis en file.',
    other: '{count} événements mis en file.',
  },
  replayMore: 'Il y en a d’autres : rejouez à partir du dernier.',
};
