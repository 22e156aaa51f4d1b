export {
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
export { copiedPasskey } from './passkey-login-service.ts';
