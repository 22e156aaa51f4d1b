export {
  type NewPasskey,
  authenticatorName,
  readClientData,
  verifyAssertion,
  verifyRegistration,
} from './webauthn.ts';
export {
  acceptedPasskeys,
  creationOptions,
  isRegistrationChallenge,
  isUndoChallenge,
  registrationChallenge,
  type RegistrationOf,
  requestOptions,
  undoChallenge,
  userHandleOf,
} from './passkey-options.ts';
export { findPasskeys, lockPasskey, usePasskey } from './passkey-store.ts';
export { copiedPasskey } from './passkey-login-service.ts';
