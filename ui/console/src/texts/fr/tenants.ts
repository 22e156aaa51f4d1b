import type { tenants as english } from '../en/tenants.ts';
import type { Translation } from '../format.ts';

export const tenants: Translation<typeof english> = {
  tenants: 'Locataires',
  installation: 'Installation',
  searchTenants: 'Partie d’un nom, d’un identifiant ou d’un domaine',
  tenantsEmpty: 'Un locataire est une organisation, isolée de toutes les autres.',
  tenantCreate: 'Créer un locataire',
  tenantCreateHint:
    'Il est prêt aussitôt, avec des clés, un espace de travail et les rôles admin et member.',
  tenantIdNever: 'Son identifiant est fait du nom court, et ne change jamais.',
  tenantIdWillBe: 'Son identifiant, qui ne change jamais, sera',
  setUpNamed: 'Configurer {name}',
  skipStep: 'Passer cette étape',
  moreThan: 'plus de {count}',
  auditEntries: 'Entrées d’audit',
  suspend: 'Suspendre',
  suspendTitle: 'Suspendre {name} ?',
  suspendHint:
    'Chaque nœud rejette aussitôt tous ses identifiants, et ses sessions prennent fin. Après la réactivation, ses utilisateurs se reconnectent ; les clés d’API non expirées fonctionnent de nouveau.',
  suspended: '{name} est suspendu.',
  activate: 'Réactiver',
  activateTitle: 'Réactiver {name} ?',
  activateHint:
    'Ses utilisateurs peuvent de nouveau se connecter. Les sessions d’avant restent terminées.',
  activated: '{name} est réactivé.',
  deleteTenantHint:
    'C’est irréversible, et son identifiant ne sera plus jamais libre. Ce qui disparaît avec lui :',
  deleteTenantKey:
    'Sa clé de données est détruite d’abord : clés de signature, secrets des webhooks, des fournisseurs, des serveurs de messagerie et des applications d’authentification ne pourront plus jamais être déchiffrés.',
  dnsTitle: 'Ce que le DNS doit dire',
  dnsHint:
    'Les requêtes vers ces hôtes appartiennent au locataire dès que le DNS les mène à ce service et que le proxy a un certificat pour eux. Ce que le lien ouvre nomme alors ce locataire.',
  dnsApex:
    'À la racine d’une zone, un CNAME est interdit : donnez-lui plutôt les enregistrements A et AAAA de la cible.',
  openDomain: 'Ouvrir',
  domainsEmpty:
    'Pas encore de domaine. Les clients nomment le locataire dans l’en-tête X-Tenant-ID.',
  discovery: 'Découverte',
  keySet: 'Jeu de clés',
  issuerHint:
    'Les vérificateurs le comparent octet par octet. Après un changement, ils rejettent les jetons émis avant, et chaque application a besoin de la nouvelle valeur.',
  tenantAuditHint:
    'Ce que les administrateurs système en ont fait d’ici. Son propre journal est dans le locataire.',
  'setup.create': 'Nom et domaine',
  'setup.branding': 'Apparence',
  switchTenant: 'Changer de locataire',
  recentTenant: 'récent',
  insideLabel: 'Dans un autre locataire',
  insideBar: 'Dans {tenant} en tant que {who} jusqu’à {time} : {reason}',
  insideEnd: 'Quitter',
  insideTitle: 'Entrer dans',
  insideHint:
    'Vous y agissez en administrateur, pendant 15 minutes au plus. La raison est conservée dans les journaux d’audit des deux locataires.',
  goInside: 'Entrer',
  firstAdministrator: 'Premier administrateur',
  firstAdministratorHint:
    'Cette personne reçoit le rôle admin, qui peut tout faire dans ce locataire.',
  byInvitation: 'Par invitation',
  byPassword: 'Avec un mot de passe',
  inviteAdministrator: 'Inviter',
  'setup.administrator': 'Administrateur',
};
