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
export { identityOf, linkIdentity, linkWaiting } from './upstream-identity.ts';
export {
  type LoginOwner,
  type TestResult,
  type UpstreamIdentity,
  findIdentity,
  insertLogin,
  isTest,
  keepUntilProven,
  storeResponse,
  takeHandoff,
  takeState,
  takeTestResult,
  testOwner,
} from './upstream-login-store.ts';
