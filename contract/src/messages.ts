/** The kinds of messages to users, each with its meaning. */
export const MESSAGE_KINDS = {
  login: 'The code and the link of a login.',
  verification: 'The code and the link that verify an identifier.',
  recovery: 'The code and the link of a recovery.',
  second_factor: 'The code that is the second factor of a login.',
  invitation: 'The link of an invitation.',
  'notice.new_device': 'A login from a new device.',
  'notice.factor_added': 'A second factor was added.',
  'notice.factor_removed': 'A second factor was removed.',
  'notice.password_changed': 'The password was changed.',
  'notice.password_breached': 'The password is known from a breach.',
  'notice.identifier_added': 'An identifier was added.',
  'notice.identifier_removed': 'An identifier was removed.',
  'notice.identifier_primary': 'Another identifier became the primary one.',
  'notice.identifiers_restored': 'A change of identifiers was undone.',
  'notice.recovery_begun': 'A recovery was started.',
  'notice.second_factor_refused': 'A login failed at the second factor.',
  'notice.identity_linked': 'An identity at a provider was linked to the account.',
  'notice.identity_unlinked': 'An identity at a provider was unlinked from the account.',
  'notice.account_deleted': 'The account was deleted by its user.',
  'notice.account_reclaimed': 'The owner of an identifier took over an unverified account.',
  'notice.logins_changed':
    'An identity provider, a domain, a mail server or an SMS provider was changed; sent to administrators. Its text cannot be replaced.',
} as const satisfies Record<string, string>;

export type MessageKind = keyof typeof MESSAGE_KINDS;
export const MESSAGE_KIND_NAMES = Object.keys(MESSAGE_KINDS) as MessageKind[];

export const MESSAGE_CHANNELS = ['email', 'sms'] as const;
export type MessageChannel = (typeof MESSAGE_CHANNELS)[number];
