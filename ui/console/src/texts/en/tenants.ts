import type { Message } from '../format.ts';

export const tenants = {
  tenants: 'Tenants',
  installation: 'Installation',
  searchTenants: 'Part of a name, id or domain',
  tenantsEmpty: 'A tenant is an organization, isolated from every other one.',
  tenantCreate: 'Create tenant',
  tenantCreateHint: 'It is ready at once, with keys, a workspace and the roles admin and member.',
  tenantIdNever: 'Its id is made of the short name, and never changes.',
  tenantIdWillBe: 'Its id, which never changes, will be',
  setUpNamed: 'Set up {name}',
  skipStep: 'Skip this',
  moreThan: 'more than {count}',
  auditEntries: 'Audit entries',
  suspend: 'Suspend',
  suspendTitle: 'Suspend {name}?',
  suspendHint:
    'Every node rejects all of its credentials at once, and its sessions end. After activation its users log in again; API keys that have not expired work again.',
  suspended: 'Suspended {name}.',
  activate: 'Activate',
  activateTitle: 'Activate {name}?',
  activateHint: 'Its users can log in again. Sessions of before stay ended.',
  activated: 'Activated {name}.',
  deleteTenantHint: 'This cannot be undone, and its id is never free again. What goes with it:',
  deleteTenantKey:
    'Its data key is destroyed first: signing keys, the secrets of webhooks, providers and mail servers, and those of authenticator apps can never be decrypted again.',
  dnsTitle: 'What DNS has to say',
  dnsHint:
    'Requests to these hosts belong to the tenant once DNS leads them to this service, and the proxy has a certificate for them. What the link opens then names this tenant.',
  dnsApex:
    'At the root of a zone no CNAME may be: give it the A and AAAA records of the target instead.',
  openDomain: 'Open',
  domainsEmpty: 'No domain yet. Clients name the tenant with the header X-Tenant-ID.',
  discovery: 'Discovery',
  keySet: 'Key set',
  issuerHint:
    'Verifiers compare it byte by byte. After a change they reject the tokens that were issued before, and every application needs the new value.',
  tenantAuditHint:
    'What system administrators did to it from here. Its own log is inside the tenant.',
  'setup.create': 'Name and domain',
  'setup.branding': 'Look',
  switchTenant: 'Switch tenant',
  recentTenant: 'recent',
  insideLabel: 'Inside another tenant',
  insideBar: 'In {tenant} as {who} until {time}: {reason}',
  insideEnd: 'Leave',
  insideTitle: 'Go inside',
  insideHint:
    'There you act as an administrator, for 15 minutes at most. The reason is kept in the audit logs of both tenants.',
  goInside: 'Go inside',
  firstAdministrator: 'First administrator',
  firstAdministratorHint:
    'Whoever it is gets the role admin, which may do everything in this tenant.',
  byInvitation: 'By invitation',
  byPassword: 'With a password',
  inviteAdministrator: 'Invite',
  'setup.administrator': 'Administrator',
} as const satisfies Readonly<Record<string, Message>>;
