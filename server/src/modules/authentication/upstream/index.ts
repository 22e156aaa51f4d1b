export { exchangeCode, type Returned } from './exchange.ts';
export { appleSecret } from './apple.ts';
export { checkIdToken } from './id-token.ts';
export { identityOf, type UpstreamIdentity } from './identity.ts';
export { linkIdentity, linkWaiting } from './link.ts';
export { createFindMetadata, type FindMetadata, type Metadata } from './metadata.ts';
export { UPSTREAM, UPSTREAM_MFA } from './method.ts';
export { directorySubject, isSharedDirectory, issuerOfDirectory } from './microsoft.ts';
export { offersUpstream } from './offer.ts';
export {
  callbackUrlOf,
  clientSecretOf,
  issuesIdTokens,
  type Provider,
  type ProviderSettings,
  sealClientSecret,
  sourceOf,
} from './provider.ts';
export { githubApi, readGithubProfile, readProfile } from './profile.ts';
export { UpstreamRefused } from './refused.ts';
export {
  codeChallengeOf,
  derivedOf,
  handoffHash,
  newHandoff,
  newState,
  stateHash,
} from './secrets.ts';
