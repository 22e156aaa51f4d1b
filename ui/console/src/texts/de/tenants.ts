import type { tenants as english } from '../en/tenants.ts';
import type { Translation } from '../format.ts';

export const tenants: Translation<typeof english> = {
  tenants: 'Mandanten',
  installation: 'Installation',
  searchTenants: 'Teil eines Namens, einer Id oder einer Domain',
  tenantsEmpty: 'Ein Mandant ist eine Organisation, getrennt von jeder anderen.',
  tenantCreate: 'Mandant anlegen',
  tenantCreateHint:
    'Er ist sofort bereit, mit Schlüsseln, einem Arbeitsbereich und den Rollen admin und member.',
  tenantIdNever: 'Seine Id entsteht aus dem Kurznamen und ändert sich nie.',
  tenantIdWillBe: 'Seine Id, die sich nie ändert, wird',
  setUpNamed: '{name} einrichten',
  skipStep: 'Überspringen',
  moreThan: 'mehr als {count}',
  auditEntries: 'Audit-Einträge',
  suspend: 'Sperren',
  suspendTitle: '{name} sperren?',
  suspendHint:
    'Jeder Knoten weist sofort alle seine Zugangsdaten ab, und seine Sitzungen enden. Nach der Freigabe melden sich seine Benutzer neu an; API-Schlüssel, die nicht abgelaufen sind, gelten wieder.',
  suspended: '{name} wurde gesperrt.',
  activate: 'Freigeben',
  activateTitle: '{name} freigeben?',
  activateHint: 'Seine Benutzer können sich wieder anmelden. Frühere Sitzungen bleiben beendet.',
  activated: '{name} wurde freigegeben.',
  deleteTenantHint:
    'Das lässt sich nicht rückgängig machen, und seine Id wird nie wieder frei. Mit ihm verschwindet:',
  deleteTenantKey:
    'Zuerst wird sein Datenschlüssel vernichtet: Signaturschlüssel, die Geheimnisse von Webhooks, Anbietern und Mailservern und die von Authenticator-Apps lassen sich nie wieder entschlüsseln.',
  dnsTitle: 'Was im DNS stehen muss',
  dnsHint:
    'Anfragen an diese Hosts gehören zum Mandanten, sobald DNS sie zu diesem Dienst führt und der Proxy ein Zertifikat dafür hat. Was der Link öffnet, nennt dann diesen Mandanten.',
  dnsApex:
    'An der Wurzel einer Zone ist kein CNAME erlaubt: Geben Sie ihr stattdessen die A- und AAAA-Einträge des Ziels.',
  openDomain: 'Öffnen',
  domainsEmpty: 'Noch keine Domain. Clients nennen den Mandanten im Header X-Tenant-ID.',
  discovery: 'Discovery',
  keySet: 'Schlüsselsatz',
  issuerHint:
    'Prüfer vergleichen ihn Byte für Byte. Nach einer Änderung weisen sie früher ausgestellte Token ab, und jede Anwendung braucht den neuen Wert.',
  tenantAuditHint:
    'Was Systemadministratoren von hier aus damit getan haben. Sein eigenes Protokoll ist im Mandanten.',
  'setup.create': 'Name und Domain',
  'setup.branding': 'Erscheinungsbild',
  switchTenant: 'Mandanten wechseln',
  recentTenant: 'zuletzt',
  insideLabel: 'In einem anderen Mandanten',
  insideBar: 'In {tenant} als {who} bis {time}: {reason}',
  insideEnd: 'Verlassen',
  insideTitle: 'Hineingehen:',
  insideHint:
    'Dort handeln Sie als Administrator, höchstens 15 Minuten lang. Der Grund wird in den Audit-Protokollen beider Mandanten festgehalten.',
  goInside: 'Hineingehen',
  firstAdministrator: 'Erster Administrator',
  firstAdministratorHint: 'Wer es ist, erhält die Rolle admin, die in diesem Mandanten alles darf.',
  byInvitation: 'Per Einladung',
  byPassword: 'Mit einem Passwort',
  inviteAdministrator: 'Einladen',
  'setup.administrator': 'Administrator',
};
