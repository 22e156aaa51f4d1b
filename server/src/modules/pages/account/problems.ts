import type { AppError, ErrorCode } from '@keywright/contract/errors';

/** What the page says of an error that its user can do something about. */
const PROBLEMS = {
  CODE_WRONG: 'This code is wrong, or no longer valid.',
  CURRENT_PASSWORD_WRONG: 'The current password is wrong.',
  IDENTIFIER_TAKEN: 'This address cannot be added.',
  LAST_IDENTIFIER: 'The last address, and the last verified one, stay.',
  FACTOR_REQUIRED: 'This is the only way to log in that is strong enough. Add another one first.',
  FACTOR_MISSING: 'Add a passkey or an authenticator app first.',
  PASSKEY_REFUSED: 'This passkey was not accepted. Try again.',
  TOO_MANY_FACTORS: 'There are too many. Remove one first.',
  TOO_MANY_ATTEMPTS: 'There were too many attempts. Try again later.',
  TOO_MANY_MESSAGES: 'There were too many messages. Try again later.',
  TOO_BUSY: 'The service is busy. Try again in a moment.',
  METHOD_NOT_READY: 'This is not set up here.',
  DESTINATION_REFUSED: 'No messages are sent to this number.',
  NOT_FOUND: 'It is gone already.',
  VALIDATION_FAILED: 'The form is not complete.',
} as const;

export interface Problem {
  readonly code: keyof typeof PROBLEMS;
  readonly text: string;
}

/** Undefined for one that is not about what the user did. */
export function problemOf({ code, options }: AppError): Problem | undefined {
  if (!isTold(code)) return undefined;
  const [first] = options.errors ?? [];
  const isTyped = code === 'VALIDATION_FAILED' && first;
  return { code, text: isTyped ? `What you typed ${first.message}.` : PROBLEMS[code] };
}

function isTold(code: ErrorCode): code is Problem['code'] {
  return Object.hasOwn(PROBLEMS, code);
}
