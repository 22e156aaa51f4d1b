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
  LINK_ELSEWHERE: 'This link belongs to another login. Type the code of its message there.',
  PROVIDER_REFUSED: 'The login there was not confirmed. Try again, or log in differently.',
  DESTINATION_REFUSED: 'No messages are sent to this number. Log in differently.',
  TOO_MANY_ATTEMPTS: 'There were too many attempts.',
  TOO_MANY_MESSAGES: 'There were too many messages.',
  VALIDATION_FAILED: ERRORS.VALIDATION_FAILED.detail,
} as const;

export interface Problem {
  readonly code: keyof typeof PROBLEMS;
  readonly text: string;
}

const DECLINED = 'You did not log in there. Try again, or log in differently.';
const NOT_HERE = 'The account there cannot be used to log in here.';

/** What the return from a provider may have wrong. */
const OF_PROVIDERS = [
  'PROVIDER_REFUSED',
  'INVALID_CREDENTIALS',
  'IDENTIFIER_TAKEN',
  'FLOW_ENDED',
  'STEP_NOT_NEEDED',
  'NOT_FOUND',
  'TOO_MANY_ATTEMPTS',
] as const;

export interface ProviderProblem {
  readonly code: (typeof OF_PROVIDERS)[number];
  readonly text: string;
}

/** The same for a login at a provider. */
export function providerProblemOf(
  error: AppError,
  { isDeclined }: { readonly isDeclined: boolean },
): ProviderProblem | undefined {
  const code = OF_PROVIDERS.find((one) => one === error.code);
  const text = problemOf(error)?.text;
  if (code === undefined || text === undefined) return undefined;
  if (code === 'PROVIDER_REFUSED' && isDeclined) return { code, text: DECLINED };
  return { code, text: code === 'INVALID_CREDENTIALS' ? NOT_HERE : text };
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
