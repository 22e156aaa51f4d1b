import type { Message } from '../format.ts';

export const home = {
  // Overview
  attention: 'Needs attention',
  'attention.keyEnds': {
    one: '{count} key signs no more: within a day its last tokens expire, and verifiers need the new key',
    other:
      '{count} keys sign no more: within a day their last tokens expire, and verifiers need the new keys',
  },
  'attention.keyOld': {
    one: '{count} key has signed for 11 months or longer: rotate it',
    other: '{count} keys have signed for 11 months or longer: rotate them',
  },
  'attention.hookDisabled': {
    one: '{count} webhook was disabled, because its deliveries failed',
    other: '{count} webhooks were disabled, because their deliveries failed',
  },
  'attention.hookFails': {
    one: 'Deliveries of {count} webhook fail',
    other: 'Deliveries of {count} webhooks fail',
  },
  'attention.administrator': {
    one: '{count} administrator has never logged in',
    other: '{count} administrators have never logged in',
  },
  'attention.message': {
    one: '{count} message of the last 30 days could not be sent',
    other: '{count} messages of the last 30 days could not be sent',
  },

  // Filters of users
  hasLoggedIn: 'Logins',
  onceLoggedIn: 'Has logged in',
  neverLoggedIn: 'Never logged in',
  lastLoginBefore: 'Last login before',

  // Defaults of settings
  notDefault: 'Changed',
  toDefault: 'Back to the default',
  toDefaultUnsaved: 'The default applies once it is saved.',

  // Mail
  mail: 'Mail',
  mailServer: 'Mail server',
  mailOwn: 'Mails go through this server.',
  mailNone:
    'No mail server of your own: it needs at least a server and a sender. Until then mails go through the server of the operator, if there is one.',
  mailPasswordKept:
    'A password is stored. It stays while its field is empty. Another server or user name needs it again.',
  mailTakeBack: 'Remove mail server',
  mailTakeBackTitle: 'Remove the mail server?',
  mailTakeBackHint:
    'Its address, its user name and its password are deleted. Mails then go through the server of the operator. Without one no mail is sent, and nobody can log in by mail.',
  mailTakenBack: 'Removed the mail server.',
  mailAccepted: 'The server accepted it.',
  'security.tls': 'TLS from the beginning',
  'security.starttls': 'STARTTLS, required',
  'security.none': 'None',

  // Domains
  tenantDomain: 'Host name',
  tenantDomainHint:
    'A domain belongs to one tenant only. Then point DNS to this service, as is shown above.',
  tenantDomainAdded: 'Added {name}. Point DNS to this service now.',
  tenantDomainRemoveHint:
    'Requests to this host no longer belong to the tenant. Whoever logs in there, in the console too, needs another address.',
  tenantDomainsByOthers: 'System administrators add and remove domains: ask them for one.',

  // Fields of the API
  'name.smtp_host': 'Server',
  'name.smtp_port': 'Port',
  'name.smtp_security': 'Encryption',
  'name.smtp_username': 'User name',
  'name.smtp_password': 'Password',
  'name.from_address': 'Sender',
  'name.from_name': 'Name of the sender',
  'name.reply_to': 'Replies go to',
} as const satisfies Readonly<Record<string, Message>>;
