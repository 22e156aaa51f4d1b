export {
  type Asserted,
  type NewPasskey,
  readClientData,
  verifyAssertion,
  verifyRegistration,
} from './webauthn.ts';
export { authenticatorName } from './authenticators.ts';
export {
  acceptedPasskeys,
  creationOptions,
  isRegistrationChallenge,
  isUndoChallenge,
  type KnownPasskey,
  registrationChallenge,
  type RegistrationOf,
  requestOptions,
  undoChallenge,
  userHandleOf,
} from './passkey-options.ts';
export { suspicionOf } from './passkey-login-service.ts';
