export { findProvider, holdProvider, noteTested, providerOf } from './provider-store.ts';
export { linkIdentity, linkWaiting } from './identity-links.ts';
export { deleteIdentity, findIdentities } from './identity-store.ts';
export {
  appleSecret,
  createFindMetadata,
  exchangeCode,
  type FindMetadata,
  githubApi,
  type Metadata,
  readGithubProfile,
  readProfile,
  type Returned,
  UpstreamRefused,
} from './provider-client.ts';
export {
  callbackUrlOf,
  clientSecretOf,
  directorySubject,
  issuerOfDirectory,
  issuesIdTokens,
  type Provider,
  type ProviderSettings,
} from './provider-settings.ts';
export { checkIdToken, identityOf, type UpstreamIdentity } from './upstream-identity.ts';
