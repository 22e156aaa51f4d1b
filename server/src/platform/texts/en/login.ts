/** Pages of a login. */
export const LOGIN = {
  'action.continue': 'Continue',
  'action.log_in': 'Log in',
  'action.send_code': 'Send a code',
  'action.start_again': 'Start again',
  'action.another_account': 'Use another account',
  'action.back_to_login': 'Back to the login',
  'action.log_in_differently': 'Log in differently',
  'field.identifier': 'E-mail address or phone number',
  'field.email': 'E-mail address',
  'field.password': 'Password',
  'field.new_password': 'New password',
  'field.code': 'Code',
  'footer.terms': 'Terms',
  'footer.privacy': 'Privacy',
  'footer.language': 'Language',

  'login.title': 'Log in',
  'login.confirm_title': 'Confirm it is you',
  'login.lead': 'to continue to <b>{client}</b>',
  'login.own_pages': 'your account',
  'login.passkey': 'Use a passkey',
  'login.code_instead': 'Send me a code instead',
  'login.forgot_password': 'Forgot your password?',
  'login.create_account': 'Create an account',
  'login.provider': 'Continue with {provider}',
  'login.more_providers': 'More ways to log in',
  'login.last_used': 'Last used',
  'login.no_way': 'There is no way to go on here.',
  'login.linking':
    'There is an account with this address already. Log in to it once, and it can be used with what you just logged in with.',

  'code.title': 'Log in with a code',
  'code.lead': 'A code is sent to your address, if it has an account.',
  'recovery.title': 'Recover your account',
  'recovery.lead':
    'A code is sent to your address, if it has an account. Then you choose a new password.',
  'registration.title': 'Create an account',
  'registration.lead_code': 'A code is sent to your address.',
  'registration.lead': 'for <b>{tenant}</b>',
  'registration.submit': 'Create the account',

  'step.check_mail': 'Check your mail',
  'step.check_phone': 'Check your phone',
  'step.new_password': 'Choose a new password',
  'step.enrol': 'Protect your account',
  'step.second': 'Second step',
  'step.linking': 'You have an account here',
  'step.confirm_address': 'Confirm your address',
  'step.send': 'Send me a code',
  'step.send_again': 'Send it again',
  'step.sent':
    'If there is an account, a message is on its way to {address}. It is valid for 10 minutes.',
  'step.totp': 'Code of your authenticator app',
  'step.save_password': 'Save and continue',
  'step.enrol_text': 'Another factor is needed to log in here. Add one that you keep with you.',
  'step.use_recovery_code': 'Use a recovery code',
  'step.recovery_code': 'Recovery code',
  'step.use_it': 'Use it',

  'passkey.add': 'Add a passkey',
  'passkey.lead': 'Your browser or device asks you for it.',
  'passkey.ask_again': 'Ask again',
  'passkey.none': 'There was no passkey for this account, or it was cancelled.',
  'passkey.not_made': 'No passkey was made, or it was cancelled.',
  'passkey.needs_script': 'A passkey needs JavaScript, which is turned off here.',
  'totp.add': 'Add an authenticator app',
  'totp.key':
    'Scan this code with your app, add its key there, or <link>open it in an app on this device</link>:',
  'totp.qr': 'QR code of the key',
  'totp.code': 'The code that it shows',
  'codes.title': 'Your recovery codes',
  'codes.lead':
    'Each lets you in once if you lose your app. They are shown only now: keep them somewhere safe.',
  'codes.kept': 'I have kept them. Continue',
  'codes.next_title': 'Your next recovery code',
  'codes.next_lead':
    'The one that you used is used up. This one takes its place. It is shown only now.',
  'codes.next_kept': 'I have kept it. Continue',

  'invitation.title': 'Join {tenant}',
  'invitation.lead': 'You are invited to {tenant}.',
  'invitation.lead_by': '<b>{inviter}</b> invites you to {tenant}.',
  'invitation.for': 'The invitation is for {identifier}.',
  'invitation.accept': 'Continue',
  'invitation.unexpected': 'If you do not expect this, close the page. Nothing has happened.',
  'invitation.step': 'With this you accept the invitation to {tenant}.',
  'invitation.expired_title': 'This invitation has expired',
  'invitation.expired': 'Ask whoever invited you for another one.',
  'invitation.revoked_title': 'This invitation was withdrawn',
  'invitation.revoked': 'Ask whoever invited you.',
  'invitation.accepted_title': 'This invitation was used',
  'invitation.accepted': 'If it was you, log in. Otherwise tell whoever invited you.',
  'invitation.unknown_title': 'This invitation does not exist',
  'invitation.unknown': 'Check that the address is complete, or ask whoever invited you.',

  'undo.title': 'Undo the change to your account?',
  'undo.lead':
    'This restores the addresses that your account at {tenant} had before the change, and logs you out everywhere.',
  'undo.proof':
    'To confirm that it is you, enter the password that your account had before the change:',
  'undo.or_code': 'Or enter a code from the authenticator app that you used then:',
  'undo.submit': 'Undo the change',
  'undo.unexpected': 'If you made this change yourself, close this page. Nothing will be undone.',
  'undo.passkey':
    'To confirm that it is you, use a passkey that your account had before the change:',
  'undo.or_passkey': 'Or use a passkey that you used then:',
  'undo.lost':
    'The login methods that protected your account before the change have been removed. Ask {tenant} for help.',
  'undo.wrong': 'This does not match what your account had before the change. Try again.',
  'undo.done_title': 'The change has been undone',
  'undo.done':
    'Your addresses have been restored, and you are logged out everywhere. Log in and choose a new password, in case someone else knows yours.',
  'undo.ended_title': 'This link no longer works',
  'undo.ended':
    'The change was already undone, it is more than 7 days old, or you have logged in since then. Log in to see the addresses of your account.',

  'first_login.title': 'Log in to the console',
  'first_login.as': 'You become <b>{identifier}</b>, the administrator of this installation.',
  'first_login.once': 'The link works once, within an hour of the first start.',
  'first_login.ended':
    'It works once, within an hour of the first start, and until the service is stopped. Log in with the secret that was printed with it.',

  'link.title': 'Continue to log in',
  'link.lead': 'to <b>{client}</b>, as {address}',
  'link.elsewhere_title': 'Continue where you began',
  'link.elsewhere':
    'This message was asked for in <b>{browser}</b>, {minutes, plural, =0 {just now} one {# minute ago} other {# minutes ago}}. Its link works in that browser only.',
  'link.if_you': 'If it was you, type the code of the message there.',
  'link.if_not_you':
    'If it was not, give the code to nobody, and close this page: nothing has happened.',
  'link.ended_title': 'This link is no longer valid',
  'link.ended':
    'It works once, for 10 minutes. Go back to the application, and ask for another one.',
  'browser.unknown': 'another browser',
  'browser.on': '{browser} on {system}',

  'leave.title': 'One moment',
  'leave.back': 'You return to <link>{host}</link>.',
  'leave.provider': 'You log in at <link>{host}</link>.',
  'leave.continue': 'Continue to {host}',
  'start_again.title': 'This login cannot continue',
  'start_again.lead':
    'The link was opened too late or a second time, or the application sent an invalid request. Nothing was changed. Start again in the application.',
  'stopped.title': 'The application cannot continue',
  'stopped.lead':
    'Nothing was shared with the application and nothing was changed. You have never allowed it to use your account.',
  'stopped.host':
    'It wants to send you to <b>{host}</b>. No one has verified this address: continue only if you know it.',
  'too_old.title': 'This page is too old',
  'too_old.lead': 'Nothing was done. You can begin again.',
  'too_old.again': 'Begin again',

  'home.title': 'Welcome',
  'home.console': 'Console',
  'home.console_about': 'Manage users, applications and settings.',
  'home.account': 'Account',
  'home.account_about': 'Your profile, sign-in methods and sessions.',
  'home.reference': 'API reference',
  'home.reference_about': 'Every endpoint, with its fields and errors.',
  'home.docs': 'Docs',
  'home.docs_about': 'The guides are in the folder {folder} of the source code.',
} as const;
