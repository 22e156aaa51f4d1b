import type { access as english } from '../en/access.ts';
import type { Translation } from '../format.ts';

export const access: Translation<typeof english> = {
  // Explain
  explain: 'Expliquer',
  explainHint:
    'Quelqu’un peut-il faire quelque chose, et pourquoi ? Chaque maillon est montré, et celui qui refuse est marqué.',
  explainWhom: 'Utilisateur ou agent : un identifiant ou un e-mail',
  explainAsk: 'Expliquer',
  explainAllowed: 'Autorisé',
  explainRefused: 'Refusé',
  explainNobody: 'Personne n’a cette adresse.',
  explainOpen: 'Pas atteint',
  explainHolds: 'Passe',
  explainRefuses: 'Refuse ici',
  'link.user': 'Utilisateur',
  'link.agent': 'Agent',
  'link.workspace': 'Espace de travail',
  'link.role': 'Rôle',
  'link.nothing': 'Aucun rôle ni scope ne l’accorde',
  'link.scope': 'Permission',
  explainBy: 'par {scope}',
  explainRemoved: 'Ce changement l’a retirée :',
  // Roles
  matrix: 'Matrice',
  matrixEmpty: 'rien',
  compare: 'Comparer',
  compareFirst: 'Premier rôle',
  compareSecond: 'Second rôle',
  compareOnly: 'Seulement {name}',
  compareBoth: 'Les deux',
  whatIf: 'Ce que cela change',
  whatIfNobody: 'Personne n’a encore ce rôle.',
  whatIfCount: {
    one: '{count} utilisateur a ce rôle. Ses jetons sont refusés ; le renouvellement en donne de nouveaux.',
    many: '{count} utilisateurs ont ce rôle. Leurs jetons sont refusés ; le renouvellement en donne de nouveaux.',
    other:
      '{count} utilisateurs ont ce rôle. Leurs jetons sont refusés ; le renouvellement en donne de nouveaux.',
  },
  whatIfAgents:
    'Les agents ont leurs propres scopes et les gardent. Ce que des utilisateurs leur ont délégué suit ce que ceux-ci possèdent.',
  gains: 'Gagne',
  loses: 'Perd',
  // Bulk actions on users
  select: 'Sélectionner {name}',
  selected: {
    one: '{count} sélectionné',
    many: '{count} sélectionnés',
    other: '{count} sélectionnés',
  },
  selectPage: 'Sélectionner cette page',
  clearSelection: 'Effacer la sélection',
  giveRole: 'Donner un rôle',
  bulkTitle: {
    one: '{verb} : {count} utilisateur',
    many: '{verb} : {count} utilisateurs',
    other: '{verb} : {count} utilisateurs',
  },
  bulkDependents: 'Ce qui prend fin avec eux, au total :',
  bulkProgress: '{done} sur {count}',
  bulkDone: {
    one: 'Fait : {count} utilisateur.',
    many: 'Fait : {count} utilisateurs.',
    other: 'Fait : {count} utilisateurs.',
  },
  bulkFailed: {
    one: '{count} a échoué et reste sélectionné :',
    many: '{count} ont échoué et restent sélectionnés :',
    other: '{count} ont échoué et restent sélectionnés :',
  },
  columnsShown: 'Colonnes',
  // A user
  consents: 'Applications liées',
  consentsEmpty: 'Aucune application n’est autorisée.',
  application: 'Application',
  consentEnd: 'Déconnecter',
  consentEndTitle: 'Déconnecter {name} ?',
  consentEndHint:
    'Ses sessions pour cet utilisateur prennent fin aussitôt, et elle doit redemander.',
  consentEnded: '{name} a été déconnectée.',
  delegationsEmpty: 'Aucune délégation active.',
  recoverSend: 'Envoyer un lien de récupération',
  recoverTitle: 'Envoyer un lien de récupération à {name} ?',
  recoverHint:
    'Il est envoyé à la première adresse vérifiée. Il permet de choisir un nouveau mot de passe, après le second facteur s’il y en a un. Rien ne change avant.',
  recoverSent: 'Envoyé à {address}.',
};
