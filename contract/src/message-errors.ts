/** Codes of messages to users, as in ERRORS. */
export const MESSAGE_ERRORS = {
  METHOD_NOT_READY: {
    status: 400,
    detail: 'Neither the tenant nor the service has a mail server. Set messaging.email first.',
  },
  TEMPLATE_INVALID: { status: 400, detail: 'The text of the message cannot be used.' },
  TOO_MANY_MESSAGES: {
    status: 429,
    detail: 'Too many messages. Retry after the number of seconds in Retry-After.',
  },
} as const;
