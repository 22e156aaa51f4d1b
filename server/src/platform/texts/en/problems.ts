/** What went wrong. */
export const PROBLEMS = {
  'problem.credentials': 'The account or the password is wrong.',
  'problem.code': 'This code is wrong, or no longer valid.',
  'problem.passkey': 'This passkey was not accepted. Try again, or log in differently.',
  'problem.ended': 'This login has ended. Start again.',
  'problem.elsewhere': 'This login has gone on elsewhere. Start again.',
  'problem.busy': 'The service is busy. Try again in a moment.',
  'problem.taken': 'There is an account with this address already. Log in instead.',
  'problem.link_elsewhere':
    'This link belongs to another login. Type the code of its message there.',
  'problem.provider': 'The login there was not confirmed. Try again, or log in differently.',
  'problem.provider_declined': 'You did not log in there. Try again, or log in differently.',
  'problem.provider_unknown': 'The account there cannot be used to log in here.',
  'problem.destination': 'No messages are sent to this number. Log in differently.',
  'problem.attempts': 'There were too many attempts.',
  'problem.messages': 'There were too many messages.',
  'problem.incomplete': 'The form is not complete.',
  'problem.typed': 'What you typed {problem}.',
  'problem.wait': '{problem} Try again {minutes, plural, one {in a minute} other {in # minutes}}.',
} as const;
