/** Error codes of messages to users, part of ERRORS. */
export const MESSAGE_ERRORS = {
  FEEDBACK_REFUSED: {
    status: 400,
    detail:
      'The format of the report is not supported, its signature is invalid, or it is older than a day.',
  },
  METHOD_NOT_READY: {
    status: 400,
    detail:
      'A prerequisite of this setting is missing. Messages need a mail server (messaging.email). Text messages need a provider (messaging.sms) and countries (sms_countries). Passkeys need an issuer with a host name and https. oauth needs an active identity provider.',
  },
  DESTINATION_REFUSED: {
    status: 400,
    detail:
      'Text messages are not sent to this phone number. Its country is not in sms_countries, or its type is excluded, such as premium-rate numbers.',
  },
  USER_UNREACHABLE: {
    status: 400,
    detail: 'The user is inactive, or has no verified email address.',
  },
  VERIFICATION_REQUIRED: {
    status: 401,
    detail: 'A verified identifier is required. If flow lists steps, continue the login there.',
  },
  LINK_ELSEWHERE: {
    status: 400,
    detail:
      'This link was requested in another browser or application. Type the code from the message there, or continue here with the link.',
  },
  TEMPLATE_INVALID: { status: 400, detail: 'The text of the message is invalid.' },
  TEXT_INVALID: { status: 400, detail: 'The text is invalid.' },
  TEXT_FIXED: {
    status: 400,
    detail: 'This text protects users and cannot be changed.',
  },
  TOO_MANY_TEXTS: { status: 400, detail: 'A tenant can have at most 500 custom texts.' },
  TOO_MANY_INVITATIONS: {
    status: 400,
    detail:
      'A tenant can have at most 10,000 pending invitations. Revoke some, or wait until they expire.',
  },
  TOO_MANY_MESSAGES: {
    status: 429,
    detail: 'Too many messages. Retry after the number of seconds in Retry-After.',
  },
} as const;
