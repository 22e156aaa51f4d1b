import type { connections as english } from '../en/connections.ts';
import type { Translation } from '../format.ts';

export const connections: Translation<typeof english> = {
  // Identity providers
  providers: 'Fournisseurs d’identité',
  providersHint: 'Où les utilisateurs se connectent avec un compte qu’ils ont ailleurs.',
  providersEmpty:
    'Aucun pour l’instant : les utilisateurs se connectent avec des comptes de ce locataire.',
  providerCreate: 'Ajouter un fournisseur',
  providerCreateOf: 'Ajouter {name}',
  providerKindHint: 'Choisissez le fournisseur ; ce qu’il lui faut vient ensuite.',
  'provider.google': 'Google',
  'provider.microsoft': 'Microsoft',
  'provider.apple': 'Apple',
  'provider.github': 'GitHub',
  'provider.oidc': 'OpenID Connect',
  'provider.oauth2': 'OAuth 2.0',
  'guide.google': 'Créez un client OAuth de type « Application Web » :',
  'guide.microsoft':
    'Enregistrez une application, et créez un secret client sous « Certificats et secrets » :',
  'guide.apple':
    'Créez un Services ID, qui est l’identifiant du client, et une clé pour « Se connecter avec Apple », dont le fichier est le secret :',
  'guide.github': 'Créez une application OAuth :',
  'guide.oidc':
    'Enregistrez chez votre fournisseur un client confidentiel avec le flux par code d’autorisation. Son émetteur figure dans son document de découverte.',
  'guide.oauth2':
    'Enregistrez un client chez votre fournisseur, et relevez ses trois points d’accès et le champ du profil qui ne change jamais.',
  guideFields: 'Saisissez ici ce que vous y obtenez.',
  guideCallback:
    'Enregistrez ensuite chez le fournisseur l’adresse de redirection, affichée à l’étape suivante.',
  guideTest: 'Le fournisseur est d’abord désactivé : testez-le, puis activez-le.',
  callbackUrl: 'Adresse de redirection',
  clientId: 'Identifiant du client',
  clientSecret: 'Secret du client',
  secretStored: 'enregistré, et jamais affiché',
  providerLink: 'Une identité inconnue avec l’adresse d’un utilisateur',
  'link.ask': 'est liée une fois que l’utilisateur a prouvé le compte',
  'link.auto': 'est liée aussitôt, pour les domaines de confiance',
  'link.never': 'est refusée',
  providerTrusted: 'De confiance pour les adresses de',
  providerMfa: 'Son second facteur compte',
  providerEnableHint: 'Les pages du locataire affichent aussitôt un bouton.',
  providerTested: 'Dernier test réussi',
  providerUntested: 'Pas testé avec ces réglages',
  providerEnableUntested: 'Activer sans test',
  providerEnableUntestedTitle: 'Activer {name} sans test ?',
  providerEnableUntestedHint:
    'Aucun test n’a réussi avec ces réglages. Si l’un d’eux est faux, personne ne pourra se connecter ici. Le journal d’audit indiquera qu’il n’y a pas eu de test.',
  providerDisableHint: 'Plus personne ne se connecte avec. Sessions et identités restent.',
  providerIdentities: 'Utilisateurs qui y ont une identité',
  providerStranded: 'Dont sans aucun autre moyen de se connecter',
  notCounted: 'non compté : plus de 10 000 utilisateurs',
  providerDeleteHint:
    'Son secret et les identités des utilisateurs sont supprimés avec lui. Les sessions continuent. C’est irréversible.',
  providerTest: 'Tester la connexion',
  providerTestOf: 'Tester la connexion chez {name}',
  providerTestHint:
    'Vous vous y connectez, et ce que dit le fournisseur s’affiche ici. Personne n’est connecté ici, et rien n’est lié.',
  providerDeclined: 'La connexion a été refusée chez le fournisseur.',
  providerRefused: 'Le fournisseur n’a pas permis la connexion. Le journal d’audit dit pourquoi.',
  testResult: 'Résultat',
  testAccepted: 'Accepté',
  testRejected: 'Refusé',
  testOutdated: 'Les réglages ont changé pendant ce test, qui ne compte donc pas. Recommencez-le.',
  testSubject: 'Qui vous y êtes',
  testVerified: 'Adresse vérifiée',
  testAuthoritative: 'De confiance pour cette adresse',
  testMfa: 'Deux facteurs vérifiés',
  testClaims: 'Revendications (claims)',
  providerDomains: 'Domaines qui se connectent ici seulement',
  providerDomainsHint:
    'Une fois un domaine prouvé par DNS, les utilisateurs qui y ont une adresse se connectent chez ce fournisseur et d’aucune autre façon.',
  providerDomainsEmpty: 'Aucun : les utilisateurs peuvent aussi se connecter autrement.',
  domain: 'Domaine',
  dnsRecord: 'Enregistrement TXT',
  domainAdd: 'Ajouter un domaine',
  domainAdded: '{name} ajouté. Publiez maintenant l’enregistrement TXT.',
  domainVerify: 'Vérifier',
  domainVerifyTitle: 'Chercher l’enregistrement TXT de {name} ?',
  domainVerifyHint:
    'S’il est trouvé, les utilisateurs du domaine se connectent chez ce fournisseur seulement.',
  domainVerified: 'Prouvé : les utilisateurs de {name} se connectent désormais ici.',
  domainRemove: 'Retirer',
  domainRemoveTitle: 'Retirer {name} ?',
  domainRemoveHint:
    'Ses utilisateurs peuvent de nouveau se connecter autrement, dès la prochaine requête.',
  domainRemoved: '{name} retiré.',

  // Webhooks
  signature: 'Signature',
  checker: 'Vérifier une signature',
  checkerHint:
    'Collez ce que votre récepteur a reçu. Le calcul se fait dans ce navigateur : rien n’est envoyé.',
  checkerSecret: 'Secret',
  checkerHeaders: 'En-têtes, un par ligne',
  checkerBody: 'Corps, octet par octet',
  check: 'Vérifier',
  checkerRight: 'Correcte',
  checkerWrong: 'Fausse',
  checkerMissing: 'Non fourni',
  checkerAge: 'Date de {seconds} secondes',
  webhookOverlap: 'Le secret précédent reste valable',
  webhookOverlapNone: 'Pas du tout : il a fuité',
  webhookOverlapHours: {
    one: 'Pendant {count} heure',
    many: 'Pendant {count} heures',
    other: 'Pendant {count} heures',
  },
  retryFailed: 'Renvoyer les échecs',
  retryFailedTitle: 'Renvoyer ce qui a échoué ?',
  retryFailedMost: 'Les 100 plus récents d’abord ; recommencez pour le reste.',
  replayCount: {
    one: '{count} événement.',
    many: '{count} événements.',
    other: '{count} événements.',
  },
  replayCountMore: 'Il y en a d’autres, à renvoyer ensuite.',

  // Signing keys
  signedFrom: 'Signe depuis',
  keyTokens: 'Les jetons qu’elle a signés sont valables',
  keyTokensUntil: 'Les jetons qu’elle a signés sont valables au plus tard jusqu’à',
  keyNoTokens: 'Aucun jeton qu’elle a signé n’est valable',

  // Resources
  resources: 'Ressources',
  resourcesHint: 'Services qui acceptent des jetons d’accès faits pour eux.',
  resourcesEmpty: 'Aucune pour l’instant : les jetons sont pour l’API de ce locataire.',
  resourceCreate: 'Enregistrer une ressource',
  resourceUri: 'URI',
  resourceDeleteHint:
    'Plus aucun jeton n’est émis pour elle. Ceux qui l’ont été sont valables jusqu’à leur expiration, sauf si le service se renseigne.',

  // Registration tokens
  registrationTokens: 'Jetons d’enregistrement',
  registrationTokensHint:
    'Qui en a un peut enregistrer lui-même des applications, autant et comme il le dit.',
  registrationTokensEmpty: 'Aucun pour l’instant.',
  registrationTokenCreate: 'Créer un jeton d’enregistrement',
  registrationTokenRevokeHint: 'Plus rien n’est enregistré avec. Ce qui l’a été reste.',
  tokenUses: 'Enregistrements restants',

  // Shared signals
  logouts: 'Déconnexions',
  logoutsEmpty:
    'Le client n’a été informé d’aucune déconnexion. Il l’est dès qu’il a une URI de déconnexion back-channel et qu’une de ses sessions se termine.',
  endOfSession: 'Session terminée',
  streams: 'Signaux',
  streamsEmpty: 'Le client ne reçoit aucun signal : il n’a créé aucun flux.',
  streamTo: 'Récepteur',
  streamPolled: 'Relevé par le récepteur',
  'stream.enabled': 'Activé',
  'stream.paused': 'En pause',
  'stream.disabled': 'Désactivé',
  streamPause: 'Mettre en pause',
  streamPauseTitle: 'Mettre ce flux en pause ?',
  streamPauseHint:
    'Les signaux attendent qu’il soit réactivé. Son récepteur en est informé, et peut le faire.',
  streamPausedDone: 'Flux mis en pause.',
  streamEnableTitle: 'Activer ce flux ?',
  streamEnableHint: 'Ce qui y attend est livré maintenant.',
  streamEnabledDone: 'Flux activé.',
  streamDeleteTitle: 'Supprimer ce flux ?',
  streamDeleteHint: 'Ce qui y attend est supprimé aussi. Le récepteur peut en créer un autre.',
  streamDeleted: 'Flux supprimé.',

  // Fields and values of the API
  'name.client_id': 'Identifiant du client',
  'name.client_secret': 'Secret du client',
  'name.link': 'Liaison',
  'name.ask': 'Demander',
  'name.never': 'Jamais',
  'name.skip_test': 'Enregistrer sans test',
  'name.trust_mfa': 'Le second facteur compte',
  'name.allowed_tenants': 'Annuaires autorisés',
  'name.team_id': 'Identifiant de l’équipe',
  'name.key_id': 'Identifiant de la clé',
  'name.uses': 'Utilisations',
};
