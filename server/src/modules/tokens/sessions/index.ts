export {
  customClaimsOf,
  findPreviewedUser,
  fixedClaimsOf,
  placesOf,
  previewAccessToken,
  type SessionTarget,
} from './session-tokens.ts';
export type { OpenFirstSession, OpenSession } from './session-service.ts';
export {
  findVouchable,
  insertAssertedSession,
  lockSessionUser,
  type SessionUser,
} from './subject-store.ts';
export { endSessionsOf, endSessionsOfClient } from './administration-store.ts';
export { endAllSessions, logOut } from './session-administration.ts';
export {
  type BrowserLogin,
  type BrowserLogins,
  type ConsoleUser,
  type FindConsoleUser,
  isGoodEnough,
  replaceLogin,
} from './browser-logins.ts';
export { acceptedNames } from './login-policy.ts';
export { endByClient, findRefreshable, findUsableRefreshToken } from './refresh-checks.ts';
export type { RedeemCode } from './code-redemption.ts';
export { type OfferStepUp, type Refresh, throttled } from './session-refresh.ts';
export type { StepUp, TokensOf } from './session-step-up.ts';
export { findIdentifierOf } from './refresh-store.ts';
export type { SessionFacts } from './session-store.ts';
