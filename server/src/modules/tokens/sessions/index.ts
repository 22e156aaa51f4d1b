export {
  countLiveSessionsIn,
  deleteSessionsIn,
  endSessionsOf,
  endSessionsOfClient,
  endSessionsOfTenant,
  findLiveSessionsOf,
  hasLoggedIn,
} from './administration-store.ts';
export {
  type BrowserLogin,
  type BrowserLogins,
  type ConsoleUser,
  replaceLogin,
} from './browser-logins.ts';
export {
  type SessionFacts,
  type SessionTarget,
  customClaimsOf,
  fixedClaimsOf,
  placesOf,
  previewAccessToken,
} from './session-tokens.ts';
export { type RefuseRefresh, findRefreshable, findUsableRefreshToken } from './refresh-steps.ts';
export type { RefreshService } from './refresh-service.ts';
export {
  type PreviewedUser,
  type SessionUser,
  findAssertableSession,
  findPreviewed,
  insertAssertedSession,
  lockSessionUser,
} from './refresh-store.ts';
export { endAllSessions, endSession, logOut } from './session-administration.ts';
export type { SessionRequest } from './session-drafts.ts';
export type { OpenedSession, SessionService } from './session-service.ts';
export { hasLoggedInBefore } from './session-store.ts';
