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
      'The tenant lacks what this setting needs: messages need a mail server (messaging.email), text messages a provider (messaging.sms) and countries (sms_countries), passkeys an issuer with a host name and https, oauth an active identity provider.',
  },
  DESTINATION_REFUSED: {
    status: 400,
    detail:
      'No text messages are sent to this phone number: its country is not in sms_countries, or its kind is excluded, such as a premium-rate number.',
  },
  USER_UNREACHABLE: {
    status: 400,
    detail: 'The user is inactive, or has no verified email address.',
  },
  VERIFICATION_REQUIRED: {
    status: 401,
    detail: 'A verified identifier is required. The login continues in flow, if it has steps.',
  },
  LINK_ELSEWHERE: {
    status: 400,
    detail:
      'This link was requested elsewhere. Type the code of its message there, or continue here with the link.',
  },
  TEMPLATE_INVALID: { status: 400, detail: 'The text of the message cannot be used.' },
  TEXT_INVALID: { status: 400, detail: 'The text cannot be used.' },
  TEXT_FIXED: {
    status: 400,
    detail: 'This text protects its readers and cannot be changed.',
  },
  TOO_MANY_TEXTS: { status: 400, detail: 'A tenant has at most 500 texts of its own.' },
  TOO_MANY_INVITATIONS: {
    status: 400,
    detail:
      'A tenant has at most 10,000 pending invitations. Revoke some, or wait until they expire.',
  },
  TOO_MANY_MESSAGES: {
    status: 429,
    detail: 'Too many messages. Retry after the number of seconds in Retry-After.',
  },
} as const;
