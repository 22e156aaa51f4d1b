/** The kinds of messages to users, each with its meaning. */
export const MESSAGE_KINDS = {
  login: 'Code and link for a login.',
  verification: 'Code and link to verify an identifier.',
  recovery: 'Code and link for a recovery.',
  second_factor: 'Code for the second factor of a login.',
  invitation: 'Link of an invitation.',
  'notice.new_device': 'Login from a new device.',
  'notice.factor_added': 'A second factor was added.',
  'notice.factor_removed': 'A second factor was removed.',
  'notice.password_changed': 'The password was changed.',
  'notice.password_breached': 'The password appeared in a data breach.',
  'notice.identifier_added': 'An identifier was added.',
  'notice.identifier_removed': 'An identifier was removed.',
  'notice.identifier_primary': 'The primary identifier changed.',
  'notice.identifiers_restored': 'Identifier changes were undone.',
  'notice.recovery_begun': 'A recovery was started.',
  'notice.second_factor_refused': 'A login failed at the second factor.',
  'notice.identity_linked': 'An identity at a provider was linked to the account.',
  'notice.identity_unlinked': 'An identity at a provider was unlinked from the account.',
  'notice.account_deleted': 'The user deleted the account.',
  'notice.account_reclaimed': 'The owner of an identifier took over an unverified account.',
  'notice.logins_changed':
    'An identity provider, a domain, a mail server or an SMS provider was changed. Sent to administrators; its text cannot be customized.',
} as const satisfies Record<string, string>;

export type MessageKind = keyof typeof MESSAGE_KINDS;
export const MESSAGE_KIND_NAMES = Object.keys(MESSAGE_KINDS) as MessageKind[];

export const MESSAGE_CHANNELS = ['email', 'sms'] as const;
export type MessageChannel = (typeof MESSAGE_CHANNELS)[number];
