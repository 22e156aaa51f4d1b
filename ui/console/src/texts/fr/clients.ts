import type { clients as english } from '../en/clients.ts';
import type { Translation } from '../format.ts';

export const clients: Translation<typeof english> = {
  // What an application needs
  clientCode: 'Code',
  // Whether a redirect URI is accepted
  redirectCheck: 'Tester une URI de redirection',
  redirectSent: 'Ce que l’application envoie comme redirect_uri',
  redirectHint: 'La comparaison se fait dans ce navigateur : rien n’est envoyé.',
  redirectAccepted: 'Acceptée',
  redirectRefused: 'Refusée',
  'redirect.accepted': 'Elle est enregistrée, caractère pour caractère.',
  'redirect.anyPort':
    'Elle est enregistrée, et un client natif peut utiliser n’importe quel port de l’adresse de bouclage.',
  'redirect.differs': 'Elle est comparée caractère par caractère et diffère :',
  'redirect.noneRegistered': 'Aucune URI de redirection n’est enregistrée.',
  'redirect.encoded':
    'Elle est encodée en pourcentages : collez la valeur telle qu’elle était avant.',
  'redirect.notAddress': 'Ce n’est pas une adresse absolue comme https://app.example.com/callback.',
  redirectNearest: 'La plus proche enregistrée :',
  'part.scheme': 'Schéma',
  'part.user': 'Nom d’utilisateur',
  'part.host': 'Hôte',
  'part.port': 'Port',
  'part.path': 'Chemin',
  'part.slash': 'Barre oblique finale',
  'part.case': 'Majuscules et minuscules',
  'part.query': 'Requête',
  'part.fragment': 'Fragment',
  redirectYours: 'Envoyé :',
  redirectTheirs: 'Enregistré :',
  redirectPortHint:
    'Seul un client natif peut utiliser n’importe quel port, et seulement à l’adresse de bouclage en http.',
  redirectFragmentHint: 'Une URI de redirection n’a pas de fragment.',
  // Code of an application
  snippetFor: 'Framework',
  'snippet.express': 'Express',
  'snippet.nextjs': 'Next.js, avec Auth.js',
  'snippet.spring': 'Spring Boot',
  'snippet.openid': 'Tout serveur, avec openid-client',
  'snippet.spa': 'Page sans serveur',
  'snippet.native': 'Programme sur un appareil',
  'snippet.device': 'Appareil sans navigateur',
  snippetUnfit: 'Ceci convient à un client d’un autre type, ou avec d’autres grants.',
  snippetInstall: 'Paquets à installer :',
  snippetUnregistered: 'Enregistrez d’abord cette URI de redirection :',
  // Who allowed it
  allowedBy: 'Autorisé par',
  allowedByEmpty: 'Aucun utilisateur ne lui a encore rien autorisé.',
  // What an application is
  appKinds: 'Qu’est-ce que l’application ?',
  'app.web': 'Application web',
  'app.spa': 'Page sans serveur',
  'app.native': 'Application native',
  'app.device': 'Appareil ou ligne de commande',
  'app.machine': 'Machine',
  'app.document': 'Client MCP ou autre logiciel avec un document',
  'purpose.web':
    'Elle s’exécute sur un serveur, qui garde un secret : Express, Next.js, Spring, Rails, PHP.',
  'purpose.spa':
    'Elle s’exécute seulement dans le navigateur et n’a pas de secret : PKCE protège sa connexion.',
  'purpose.native':
    'Elle s’exécute sur l’appareil de l’utilisateur, ouvre le navigateur du système pour la connexion et n’a pas de secret.',
  'purpose.device':
    'Il n’y a pas de navigateur : l’utilisateur saisit un code court sur un autre appareil.',
  'purpose.machine':
    'Un service ou une tâche sans utilisateur. C’est un agent, avec une clé d’API ou sa propre preuve.',
  'purpose.document':
    'Personne ne l’enregistre : son identifiant de client est l’adresse https d’un document qui le décrit, comme celui d’un client MCP. Vous dites quels hôtes peuvent en avoir un.',
  documentsAdmitted: 'Qui peut avoir un document',
  documentsElse: 'Un logiciel sans site web s’enregistre lui-même, avec l’un de vos',
  // Fields
  'name.first_party': 'Application interne',
  'name.post_logout_redirect_uris': 'URI de redirection après la déconnexion',
  'name.token_endpoint_auth_method': 'Authentification au point de terminaison des jetons',
  'name.backchannel_logout_uri': 'Adresse de déconnexion back-channel',
  'name.oauth_client_domains': 'Hôtes des documents de clients',
  'name.oauth_metadata_documents': 'Documents de clients admis',
};
