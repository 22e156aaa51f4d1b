export { endSessionsOf, endSessionsOfClient } from './administration-store.ts';
export {
  type BrowserLogin,
  type BrowserLogins,
  type ConsoleUser,
  replaceLogin,
} from './browser-logins.ts';
export { placesOf } from './custom-claims.ts';
export { acceptedNames, isGoodEnough } from './login-policy.ts';
export { findRefreshable, findUsableRefreshToken, type RefuseRefresh } from './refresh-rules.ts';
export type { RefreshService } from './refresh-service.ts';
export { findIdentifierOf } from './refresh-store.ts';
export { endAllSessions, endSession, logOut } from './session-administration.ts';
export type { SessionRequest } from './session-drafts.ts';
export type { OpenedSession, SessionService } from './session-service.ts';
export {
  customClaimsOf,
  fixedClaimsOf,
  previewAccessToken,
  type SessionFacts,
  type SessionTarget,
} from './session-tokens.ts';
export {
  findAssertableSession,
  findPreviewed,
  insertAssertedSession,
  lockSessionUser,
  type PreviewedUser,
  type SessionUser,
} from './subject-store.ts';
