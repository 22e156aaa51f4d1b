import type { trust as english } from '../en/trust.ts';
import type { Translation } from '../format.ts';

export const trust: Translation<typeof english> = {
  // How an agent authenticates
  trust: 'Clés et émetteurs',
  publicKeys: 'Clés publiques',
  publicKeysEmpty:
    'Aucune. Avec une paire de clés, l’agent signe ce qu’il envoie, et son secret reste sur sa machine.',
  publicKeyRemoveTitle: 'Retirer la clé publique {name} ?',
  publicKeyRemoveHint:
    'Ce qu’elle signe est refusé aussitôt, ainsi que tous les jetons de l’agent.',
  issuersTrusted: 'Émetteurs de confiance',
  issuersEmpty:
    'Aucun. Une tâche de CI ou un pod peut s’authentifier avec un jeton qu’il possède déjà, sans secret stocké.',
  audience: 'Audience',
  tokenSubject: 'Sujet',
  claims: 'Claims',
  singleUse: 'Chaque jeton une fois',
  issuerRemoveTitle: 'Ne plus faire confiance à {name} ?',
  issuerRemoveHint:
    'Ses jetons n’authentifient plus l’agent, et tous les jetons de l’agent sont refusés aussitôt.',
  reach: 'Portée',
  // Keys
  overlap: 'Durée de validité de la clé actuelle',
  overlapNone: 'Elle est révoquée aussitôt',
  days: { one: '{count} jour', many: '{count} jours', other: '{count} jours' },
  leak: 'Signaler une clé divulguée',
  leakHint:
    'Collez une clé trouvée là où elle ne devrait pas être. Si elle fonctionne, elle est révoquée aussitôt. Elle n’est pas conservée ici.',
  leakKey: 'La clé',
  leakReport: 'Signaler et révoquer',
  leakFound: 'Révoquée. C’était cette clé :',
  leakUnknown: 'Signalée. Ce n’est pas une clé de ce locataire qui fonctionnait.',
};
