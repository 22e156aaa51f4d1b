// What `@keywright/sdk` offers.

export { ApiError, type FieldError } from './client/api-error.ts';
export { ApiPromise, type ApiResponse } from './client/api-promise.ts';
export { type ClientOptions, createClient, type KeywrightClient } from './client/client.ts';
export type { Listing, Page } from './client/listing.ts';
export type { CallOptions } from './client/operation.ts';
export { SecretLostError } from './client/secret-lost-error.ts';
export type { TokenOption, TokenPair } from './client/tokens.ts';
export {
  type RefusalAnswer,
  refusalAnswer,
  type RefusalReason,
  type VerificationCode,
  VerificationError,
} from './errors.ts';
export type { Fetch } from './fetch.ts';
export type * from './generated/api.ts';
export type * from './generated/records.ts';
export type { EventData, EventOf, WebhookEvent } from './generated/events.ts';
export type { AccessTokenClaims } from './generated/claims.ts';
export {
  createProtectedResource,
  type ProtectedResource,
  type ProtectedResourceOptions,
  type ResourceDpop,
} from './resource/protected-resource.ts';
export {
  metadataAnswer,
  type MetadataAnswer,
  type ResourceDescription,
  type ResourceMetadata,
} from './resource/metadata.ts';
export type { ResourceChallenge } from './challenge.ts';
export type { RevocationState } from './status/revocations.ts';
export type { DpopOptions, SentProof, UsedProof } from './verifier/dpop.ts';
export type { VerifierOptions } from './verifier/options.ts';
export type { Problem, ProblemCode } from './verifier/problem.ts';
export type { ApiKeyClient } from './verifier/api-key.ts';
export {
  isAgent,
  type RequestRequirement,
  requireAgent,
  requireLogin,
  requireScope,
  type Requirement,
} from './verifier/requirements.ts';
export {
  createVerifier,
  type RequestVerifier,
  type RequestWithHeaders,
  type Verifier,
  type VerifierState,
} from './verifier/verifier.ts';
export type { PollOptions } from './signals/poll.ts';
export {
  createSignalReceiver,
  type SignalAnswer,
  type SignalReceiver,
  type SignalReceiverOptions,
  type SignalStore,
} from './signals/receiver.ts';
export { SignalError, type SignalErrorCode } from './signals/signal-error.ts';
export type {
  AccountChange,
  CredentialChange,
  OtherSignal,
  SessionRevoked,
  Signal,
  StreamUpdated,
  Verification,
} from './signals/signal.ts';
export {
  verifyWebhook,
  WebhookError,
  type WebhookErrorCode,
  type WebhookHeaders,
  type WebhookOptions,
} from './webhook.ts';
