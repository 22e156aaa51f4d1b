import { textsOf } from './text.ts';

export const EN = textsOf({
  enterToLogIn: 'Enter this code where you are logging in:',
  orOpenToLogIn: 'Or open this link in the browser that you are logging in with:',
  enterToVerify: 'Enter this code to confirm {{identifier}}:',
  orOpen: 'Or open this link in the browser that you began in:',
  enterToRecover: 'Enter this code to recover your account:',
  validFor: 'Valid for {{minutes}} minutes.',
  ignore:
    'If you did not ask for this, you can ignore this message. Never give the code to anyone.',
  help: 'Questions? Write to {{support_email}}.',
  time: 'Time: {{time}}',
  device: 'Device: {{device}}',
  notYou: 'If this was not you, change your password and check your second factors now.',
  openToUndo: 'If this was not you, open this link to undo the change:',
  sendToUndo: 'If this was not you, this secret undoes the change for 7 days:',
  invitation: {
    subject: 'Invitation to {{company}}',
    what: 'You are invited to {{company}}.',
    open: 'Open this link to accept:',
    enter: 'Enter this secret to accept:',
    validUntil: 'Valid until {{valid_until}}.',
    ignore:
      'If you do not expect this, you can ignore this message. Never give the link or the secret to anyone.',
  },
  subjects: {
    login: 'Log in to {{company}}',
    verification: 'Confirm your address at {{company}}',
    recovery: 'Recover your account at {{company}}',
  },
  sms: {
    login: '{{code}} is your code to log in to {{company}}. Never give it to anyone.',
    verification:
      '{{code}} is your code to confirm this number at {{company}}. Never give it to anyone.',
  },
  notices: {
    'notice.new_device': [
      'New login to {{company}}',
      'Your account was logged in to from a new device.',
    ],
    'notice.factor_added': [
      'Second factor added at {{company}}',
      'A second factor was added to your account.',
    ],
    'notice.factor_removed': [
      'Second factor removed at {{company}}',
      'A second factor was removed from your account.',
    ],
    'notice.password_changed': [
      'Password changed at {{company}}',
      'The password of your account was changed.',
    ],
    'notice.password_breached': [
      'Choose a new password at {{company}}',
      'The password of your account is known from a breach of another service. Choose a new one.',
    ],
    'notice.identifier_added': [
      'Address added at {{company}}',
      'An address was added to your account: {{changed}}',
    ],
    'notice.identifier_removed': [
      'Address removed at {{company}}',
      'An address was removed from your account: {{changed}}',
    ],
    'notice.identifier_primary': [
      'Main address changed at {{company}}',
      'The main address of your account is now {{changed}}.',
    ],
    'notice.identifiers_restored': [
      'Addresses restored at {{company}}',
      'A change of the addresses of your account was undone, and you were logged out everywhere.',
    ],
    'notice.recovery_begun': [
      'Account recovery begun at {{company}}',
      'Someone began to recover your account. Nothing has changed yet.',
    ],
    'notice.second_factor_refused': [
      'Login refused at {{company}}',
      'Someone gave the right password or code for your account, but not the second factor. The login was refused.',
    ],
    'notice.identity_linked': [
      'A new way to log in at {{company}}',
      'An account at {{changed}} can now be used to log in at {{company}}.',
    ],
    'notice.identity_unlinked': [
      'A way to log in at {{company}} was removed',
      'An account at {{changed}} can no longer be used to log in at {{company}}.',
    ],
    'notice.account_deleted': [
      'Your account at {{company}} was deleted',
      'Your account at {{company}} was deleted. Nobody can log in to it any more.',
    ],
    'notice.account_reclaimed': [
      'Your account at {{company}}',
      'The owner of {{changed}} has confirmed that address. It now belongs to their account, and access that others had to it has ended.',
    ],
  },
});
