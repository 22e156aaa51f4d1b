export { sessionsModule } from './module.ts';
export { customClaimsOf, fixedClaimsOf } from './custom-claims.ts';
export {
  createOpenFirstSession,
  createOpenSession,
  type OpenFirstSession,
  type OpenSession,
} from './open.ts';
export { findVouchable, holdUser, insertAssertedSession } from './asserted-store.ts';
export type { SessionTarget } from './answer.ts';
export type { OpeningDependencies } from './draft.ts';
export { endSessionsOf, endSessionsOfClient } from './end-store.ts';
export {
  type BrowserLogin,
  type BrowserLogins,
  createBrowserLogins,
  isGoodEnough,
  noteUse,
  replaceLogin,
} from './browser.ts';
export {
  type ConsoleUser,
  createFindUserOfConsole,
  type FindConsoleUser,
} from './console-users.ts';
export { acceptedNames } from './policy.ts';
export { findPreviewedUser, previewAccessToken } from './previewed.ts';
export { placesOf } from './claim-rules.ts';
export { endByClient, findRefreshable, findUsableRefreshToken } from './presented.ts';
export { createRedeemCode, type RedeemCode } from './redemption.ts';
export { createRefreshFixed } from './fixed.ts';
export { createRefresh, type OfferStepUp, type Refresh } from './rotation.ts';
export { logOut } from './service.ts';
export { createStepUp, type StepUp } from './step-up.ts';
export { createTokensOf, type TokensOf } from './tokens-of.ts';
export { findIdentifierOf } from './step-up-store.ts';
export type { SessionFacts } from './store.ts';
export { throttled } from './throttled.ts';
