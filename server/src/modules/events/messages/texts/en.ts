import type { Texts } from './text.ts';

const NOT_YOU = 'If this was not you, change your password and check your second factors now.';
const HELP = 'Questions? Write to {{support_email}}.';
const WHERE = 'Time: {{time}}';
const DEVICE = 'Device: {{device}}';

const IGNORE =
  'If you did not ask for this, you can ignore this message. Never give the code to anyone.';

export const EN: Texts = {
  login: {
    subject: 'Log in to {{company}}',
    text: `Enter this code where you are logging in:
{{code}}

Or open this link in the browser that you are logging in with:
{{link}}

Valid for {{minutes}} minutes.

${IGNORE}

${HELP}`,
  },
  verification: {
    subject: 'Confirm your address at {{company}}',
    text: `Enter this code to confirm {{identifier}}:
{{code}}

Or open this link in the browser that you began in:
{{link}}

Valid for {{minutes}} minutes.

${IGNORE}

${HELP}`,
  },
  recovery: {
    subject: 'Recover your account at {{company}}',
    text: `Enter this code to recover your account:
{{code}}

Or open this link in the browser that you began in:
{{link}}

Valid for {{minutes}} minutes.

${IGNORE}

${HELP}`,
  },
  'notice.new_device': notice(
    'New login to {{company}}',
    'Your account was logged in to from a new device.',
  ),
  'notice.factor_added': notice(
    'Second factor added at {{company}}',
    'A second factor was added to your account.',
  ),
  'notice.factor_removed': notice(
    'Second factor removed at {{company}}',
    'A second factor was removed from your account.',
  ),
  'notice.password_changed': notice(
    'Password changed at {{company}}',
    'The password of your account was changed.',
  ),
  'notice.identifier_added': notice(
    'Address added at {{company}}',
    'An address was added to your account: {{changed}}',
  ),
  'notice.identifier_removed': notice(
    'Address removed at {{company}}',
    'An address was removed from your account: {{changed}}',
  ),
  'notice.identifier_changing': {
    subject: 'Your address at {{company}} is changing',
    text: `The address of your account is changing to {{changed}}.

If this was not you, open this link to undo the change:
{{link}}

${WHERE}

${HELP}`,
  },
  'notice.recovery_begun': notice(
    'Account recovery begun at {{company}}',
    'Someone began to recover your account. Nothing has changed yet.',
  ),
  'notice.second_factor_refused': notice(
    'Login refused at {{company}}',
    'Someone gave the right password or code for your account, but not the second factor. The login was refused.',
  ),
  'notice.account_reclaimed': notice(
    'Your account at {{company}}',
    'The owner of {{changed}} has confirmed that address. It now belongs to their account, and access that others had to it has ended.',
  ),
};

function notice(subject: string, what: string) {
  return { subject, text: [what, WHERE, DEVICE, NOT_YOU, HELP].join('\n\n') };
}
