import type { AppError, ErrorCode } from '@keywright/contract/errors';
import type { Html } from '../../../platform/http/pages/html.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import { typedProblem } from '../../branding/views/index.ts';

/** What the page says of an error that its user can do something about. */
const PROBLEMS = {
  CODE_WRONG: 'problem.code',
  CURRENT_PASSWORD_WRONG: 'account.problem.current_password',
  IDENTIFIER_TAKEN: 'account.problem.taken',
  IDENTIFIER_UNVERIFIED: 'account.problem.unverified',
  LAST_IDENTIFIER: 'account.problem.last_address',
  DEFAULT_WORKSPACE_PROTECTED: 'account.problem.default_workspace',
  LAST_LOGIN_METHOD: 'account.problem.last_login',
  IDENTITY_TAKEN: 'account.problem.identity_taken',
  PROVIDER_REFUSED: 'account.problem.provider',
  FACTOR_REQUIRED: 'account.problem.last_factor',
  FACTOR_MISSING: 'account.problem.no_factor',
  PASSKEY_REFUSED: 'account.problem.passkey',
  TOO_MANY_FACTORS: 'account.problem.too_many_factors',
  TOO_MANY_ATTEMPTS: 'account.problem.attempts',
  TOO_MANY_MESSAGES: 'account.problem.messages',
  ACCOUNT_DELETION_OFF: 'account.problem.deletion_off',
  LAST_ADMINISTRATOR: 'account.problem.last_administrator',
  TOO_BUSY: 'problem.busy',
  METHOD_NOT_READY: 'account.problem.not_ready',
  DESTINATION_REFUSED: 'account.problem.destination',
  NOT_FOUND: 'account.problem.gone',
  SCOPE_NOT_HELD: 'account.problem.not_held',
  VALIDATION_FAILED: 'problem.incomplete',
} as const;

export interface Problem {
  readonly code: keyof typeof PROBLEMS;
  readonly text: Html | string;
}

/** Undefined for one that is not about what the user did. */
export function problemOf({ code, options }: AppError, texts: Texts): Problem | undefined {
  if (!isTold(code)) return undefined;
  const [first] = options.errors ?? [];
  const isTyped = code === 'VALIDATION_FAILED' && first;
  const text = isTyped ? typedProblem(first.message, texts) : texts.text(PROBLEMS[code]);
  return { code, text };
}

function isTold(code: ErrorCode): code is Problem['code'] {
  return Object.hasOwn(PROBLEMS, code);
}
