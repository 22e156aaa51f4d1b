export {
  findIdentities,
  findProvider,
  lockProviderForShare,
  markTested,
  providerOf,
} from './provider-store.ts';
export {
  callbackUrlOf,
  clientSecretOf,
  directorySubject,
  issuerOfDirectory,
  issuerTemplate,
  issuesIdTokens,
  type Provider,
  type ProviderSettings,
} from './provider-settings.ts';
export {
  identityOf,
  linkIdentity,
  linkWaiting,
  type UpstreamIdentity,
} from './upstream-identity.ts';
