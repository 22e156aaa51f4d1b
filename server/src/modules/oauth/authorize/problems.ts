import { type AppError, type ErrorCode, ERRORS } from '@keywright/contract/errors';

/** What a page says of an error that its user can do something about. */
const PROBLEMS = {
  INVALID_CREDENTIALS: 'The account or the password is wrong.',
  CODE_WRONG: 'This code is wrong, or no longer valid.',
  PASSKEY_REFUSED: 'This passkey was not accepted. Try again, or log in differently.',
  FLOW_ENDED: 'This login has ended. Start again.',
  STEP_NOT_NEEDED: 'This login has gone on elsewhere. Start again.',
  NOT_FOUND: 'This login has ended. Start again.',
  TOO_BUSY: 'The service is busy. Try again in a moment.',
  IDENTIFIER_TAKEN: 'There is an account with this address already. Log in instead.',
  TOO_MANY_ATTEMPTS: 'There were too many attempts.',
  TOO_MANY_MESSAGES: 'There were too many messages.',
  VALIDATION_FAILED: ERRORS.VALIDATION_FAILED.detail,
} as const;

export interface Problem {
  readonly code: keyof typeof PROBLEMS;
  readonly text: string;
}

/** Undefined for one that is not about what the user typed. */
export function problemOf({ code, options }: AppError): Problem | undefined {
  if (!isTold(code)) return undefined;
  const [first] = options.errors ?? [];
  if (code === 'VALIDATION_FAILED' && first) {
    return { code, text: `What you typed ${first.message}.` };
  }
  const { retryAfterSeconds: seconds } = options;
  const wait = seconds === undefined ? '' : ` Try again ${waitOf(seconds)}.`;
  return { code, text: PROBLEMS[code] + wait };
}

function isTold(code: ErrorCode): code is Problem['code'] {
  return Object.hasOwn(PROBLEMS, code);
}

function waitOf(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 1 ? 'in a minute' : `in ${minutes} minutes`;
}
