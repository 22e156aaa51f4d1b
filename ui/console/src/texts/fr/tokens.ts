import type { tokens as english } from '../en/tokens.ts';
import type { Translation } from '../format.ts';

export const tokens: Translation<typeof english> = {
  'group.claims': 'Claims personnalisés',
  tokenPreview: 'Aperçu des jetons',
  tokenPreviewHint:
    'Ce que diraient les jetons d’un utilisateur avec les claims ci-dessus, enregistrés ou non. Personne n’est connecté et aucun jeton n’est créé.',
  tokenPreviewShow: 'Afficher',
  tokenPreviewDirect: 'Aucune : connexion directe',
  tokenAccess: 'Jeton d’accès',
  tokenId: 'Jeton d’identité',
  claim: 'Claim',
  claimValue: 'Valeur',
  claimFrom: 'Provenance',
  claimOutcome: 'Résultat',
  claimHidden: 'connu de cette application seule',
  'claim.added': 'Dans le jeton d’accès',
  'claim.no_value': 'Absent : aucune valeur',
  'claim.refused': 'Refusé',
  'origin.service': 'service',
  'origin.login': 'chaque connexion, ici un exemple',
  'origin.identifier': 'adresse de l’utilisateur',
  'origin.metadata': 'métadonnées, écrites par les administrateurs',
  'origin.user_metadata': 'métadonnées de l’utilisateur, écrites par lui',
  'origin.constant': 'ces paramètres',
};
