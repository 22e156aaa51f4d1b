/**
 * Emails and text messages. Text messages fit into 160 characters (70 outside GSM 03.38), including the host and the
 * code.
 */
export const MAIL = {
  'mail.login.subject': 'Log in to {company}',
  'mail.verification.subject': 'Confirm your address at {company}',
  'mail.recovery.subject': 'Recover your account at {company}',
  'mail.enter_to_log_in': 'Enter this code where you are logging in:',
  'mail.open_to_log_in': 'Or open this link in the browser that you are logging in with:',
  'mail.enter_to_verify': 'Enter this code to confirm {identifier}:',
  'mail.enter_to_recover': 'Enter this code to recover your account:',
  'mail.open': 'Or open this link in the browser that you began in:',
  'mail.valid_for': 'Valid for {duration}.',
  'mail.duration': '{minutes, plural, one {# minute} other {# minutes}}',
  'mail.ignore':
    'If you did not ask for this, you can ignore this message. Never give the code to anyone.',
  'mail.help': 'Questions? Write to {support_email}.',
  'mail.time': 'Time: {time}',
  'mail.device': 'Device: {device}',
  'mail.not_you': 'If this was not you, change your password and check your second factors now.',
  'mail.open_to_undo': 'If this was not you, open this link to undo the change:',

  'mail.invitation.subject': 'Invitation to {company}',
  'mail.invitation.what': 'You are invited to {company}.',
  'mail.invitation.open': 'Open this link to accept:',
  'mail.invitation.valid_until': 'Valid until {valid_until}.',
  'mail.invitation.ignore':
    'If you do not expect this, you can ignore this message. Never give the link or the secret to anyone.',

  'sms.login': '{code} is your code to log in to {company}. Never give it to anyone.',
  'sms.verification':
    '{code} is your code to confirm this number at {company}. Never give it to anyone.',

  'notice.new_device.subject': 'New login to {company}',
  'notice.new_device.text': 'Your account was logged in to from a new device.',
  'notice.factor_added.subject': 'Second factor added at {company}',
  'notice.factor_added.text': 'A second factor was added to your account.',
  'notice.factor_removed.subject': 'Second factor removed at {company}',
  'notice.factor_removed.text': 'A second factor was removed from your account.',
  'notice.password_changed.subject': 'Password changed at {company}',
  'notice.password_changed.text': 'The password of your account was changed.',
  'notice.password_breached.subject': 'Choose a new password at {company}',
  'notice.password_breached.text':
    'The password of your account is known from a breach of another service. Choose a new one.',
  'notice.identifier_added.subject': 'Address added at {company}',
  'notice.identifier_added.text': 'An address was added to your account: {changed}',
  'notice.identifier_removed.subject': 'Address removed at {company}',
  'notice.identifier_removed.text': 'An address was removed from your account: {changed}',
  'notice.identifier_primary.subject': 'Main address changed at {company}',
  'notice.identifier_primary.text': 'The main address of your account is now {changed}.',
  'notice.identifiers_restored.subject': 'Addresses restored at {company}',
  'notice.identifiers_restored.text':
    'A change of the addresses of your account was undone, and you were logged out everywhere.',
  'notice.recovery_begun.subject': 'Account recovery begun at {company}',
  'notice.recovery_begun.text': 'Someone began to recover your account. Nothing has changed yet.',
  'notice.second_factor_refused.subject': 'Login refused at {company}',
  'notice.second_factor_refused.text':
    'Someone gave the right password or code for your account, but not the second factor. The login was refused.',
  'notice.identity_linked.subject': 'A new way to log in at {company}',
  'notice.identity_linked.text': 'An account at {changed} can now be used to log in at {company}.',
  'notice.identity_unlinked.subject': 'A way to log in at {company} was removed',
  'notice.identity_unlinked.text':
    'An account at {changed} can no longer be used to log in at {company}.',
  'notice.account_deleted.subject': 'Your account at {company} was deleted',
  'notice.account_deleted.text':
    'Your account at {company} was deleted. Nobody can log in to it any more.',
  'notice.account_reclaimed.subject': 'Your account at {company}',
  'notice.account_reclaimed.text':
    'The owner of {changed} has confirmed that address. It now belongs to their account, and access that others had to it has ended.',
  'notice.logins_changed.subject': 'Login settings of {company} changed',
  'notice.logins_changed.text': 'How users log in to {company} was changed: {change}',
  'notice.logins_changed.by': 'Changed by: {actor}',
  'notice.logins_changed.warning':
    'If you did not expect this, check the settings and the audit log now.',
  'notice.actor.system_administrator': 'a system administrator',
  'notice.change.provider_added': 'The identity provider {changed} was added.',
  'notice.change.provider_changed': 'The identity provider {changed} was changed.',
  'notice.change.provider_deleted': 'The identity provider {changed} was deleted.',
  'notice.change.provider_domain_added': 'The domain {changed} was added to an identity provider.',
  'notice.change.provider_domain_verified':
    'The domain {changed} was verified for an identity provider.',
  'notice.change.provider_domain_removed':
    'The domain {changed} was removed from an identity provider.',
  'notice.change.domains': 'The domains are now: {changed}',
  'notice.change.mail_server': 'Mail is now sent through {changed}, with new settings.',
  'notice.change.mail_server_removed': 'The mail server was removed.',
  'notice.change.sms_provider': 'Text messages are now sent through {changed}, with new settings.',
  'notice.change.sms_provider_removed': 'The SMS provider was removed.',
} as const;
