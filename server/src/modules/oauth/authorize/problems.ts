import type { AppError, ErrorCode } from '@keywright/contract/errors';
import type { Html } from '../../../platform/http/pages/html.ts';
import { typedProblem } from '../../branding/views/index.ts';
import type { Texts } from '../../../platform/texts/texts.ts';

/** The text for an error that the user can do something about. */
const PROBLEMS = {
  INVALID_CREDENTIALS: 'problem.credentials',
  CODE_WRONG: 'problem.code',
  PASSKEY_REFUSED: 'problem.passkey',
  FLOW_ENDED: 'problem.ended',
  STEP_NOT_NEEDED: 'problem.elsewhere',
  NOT_FOUND: 'problem.ended',
  TOO_BUSY: 'problem.busy',
  IDENTIFIER_TAKEN: 'problem.taken',
  LINK_ELSEWHERE: 'problem.link_elsewhere',
  PROVIDER_REFUSED: 'problem.provider',
  DESTINATION_REFUSED: 'problem.destination',
  TOO_MANY_ATTEMPTS: 'problem.attempts',
  TOO_MANY_MESSAGES: 'problem.messages',
  VALIDATION_FAILED: 'problem.incomplete',
} as const;

export interface Problem {
  readonly code: keyof typeof PROBLEMS;
  readonly text: Html | string;
}

/** Errors of a return from a provider. */
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
  readonly text: Html | string;
}

/** The same for a login at a provider. */
export function providerProblemOf(
  error: AppError,
  { isDeclined, texts }: { readonly isDeclined: boolean; readonly texts: Texts },
): ProviderProblem | undefined {
  const code = OF_PROVIDERS.find((one) => one === error.code);
  const text = problemOf(error, texts)?.text;
  if (code === undefined || text === undefined) return undefined;
  if (code === 'PROVIDER_REFUSED' && isDeclined) {
    return { code, text: texts.text('problem.provider_declined') };
  }
  return {
    code,
    text: code === 'INVALID_CREDENTIALS' ? texts.text('problem.provider_unknown') : text,
  };
}

/** Undefined if it is not about the user's input. */
export function problemOf({ code, options }: AppError, texts: Texts): Problem | undefined {
  if (!isTold(code)) return undefined;
  const [first] = options.errors ?? [];
  if (code === 'VALIDATION_FAILED' && first) {
    return { code, text: typedProblem(first.message, texts) };
  }
  const { retryAfterSeconds: seconds } = options;
  const problem = texts.text(PROBLEMS[code]);
  if (seconds === undefined) return { code, text: problem };
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return { code, text: texts.text('problem.wait', { problem, minutes }) };
}

function isTold(code: ErrorCode): code is Problem['code'] {
  return Object.hasOwn(PROBLEMS, code);
}
