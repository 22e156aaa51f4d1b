export { type Asserted, verifyAssertion } from './assertion.ts';
export { authenticatorName } from './authenticators.ts';
export {
  challengeHash,
  isRegistrationChallenge,
  isUndoChallenge,
  MAX_CHALLENGES,
  newChallenge,
  registrationChallenge,
  type RegistrationOf,
  undoChallenge,
  userHandleOf,
} from './challenge.ts';
export { readClientData } from './client-data.ts';
export { BOUND_PASSKEY, passkeyMethodOf, SYNCED_PASSKEY } from './method.ts';
export { acceptedPasskeys, creationOptions, type KnownPasskey, requestOptions } from './options.ts';
export { type NewPasskey, verifyRegistration } from './registration.ts';
export { offersPasskeys, type RelyingParty, relyingPartyOf } from './relying-party.ts';
