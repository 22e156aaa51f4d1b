// What `@keywright/sdk` offers.

export {
  type RefusalAnswer,
  refusalAnswer,
  type RefusalReason,
  type VerificationCode,
  VerificationError,
} from './errors.ts';
export type { AccessTokenClaims } from './generated/claims.ts';
export type { RevocationState } from './status/revocations.ts';
export type { VerifierOptions } from './verifier/options.ts';
export type { Problem, ProblemCode } from './verifier/problem.ts';
export { isAgent, requireAgent, requireScope, type Requirement } from './verifier/requirements.ts';
export { createVerifier, type Verifier, type VerifierState } from './verifier/verifier.ts';
