export { sessionsModule } from './module.ts';
export { customClaimsOf, fixedClaimsOf } from './custom-claims.ts';
export {
  createOpenFirstSession,
  createOpenSession,
  type OpenFirstSession,
  type OpenSession,
  type SessionDependencies,
} from './open.ts';
export { endSessionsOf, endSessionsOfClient } from './end-store.ts';
export { acceptedNames } from './policy.ts';
export { createRefresh, type OfferStepUp, type Refresh } from './rotation.ts';
export { createStepUp, type StepUp } from './step-up.ts';
export { createTokensOf, type TokensOf } from './tokens-of.ts';
export { findIdentifierOf } from './step-up-store.ts';
export { throttled } from './throttled.ts';
