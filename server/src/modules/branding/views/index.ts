export {
  accountView,
  confirmationView,
  consentView,
  meaningOf,
  type ParticularGrant,
  type Permission,
  type SaidField,
} from './consent-view.ts';
export { deviceEndView, deviceView, type ShownDevice } from './device-view.ts';
export { codesView, totpView } from './factor-view.ts';
export { endedFirstLoginView, firstLoginView } from './first-login-view.ts';
export { endedInvitationView, invitationView } from './invitation-view.ts';
export { undoneView, undoPasskeyView, undoView } from './undo-view.ts';
export { shell } from './shell.ts';
export { browserOf, elsewhereView, endedLinkView, linkView } from './link-view.ts';
export {
  formPostView,
  goView,
  hostOf,
  leaveView,
  startAgainView,
  stoppedView,
  tooOldView,
} from './leave-view.ts';
export {
  folded,
  identifierView,
  lastUsedMark,
  type LoginPage,
  providerForms,
  registrationView,
  startView,
  type Ways,
} from './login-view.ts';
export { loggedOutView, logoutView, stayedView } from './logout-view.ts';
export { newPasskeyView, passkeyView } from './passkey-view.ts';
export { qrOf } from './qr.ts';
export { stepsView } from './steps-view.ts';
export { typedProblem } from './typed-problem.ts';
export { aside, button, type Carried, field, form } from './parts.ts';
export { homeView } from './home-view.ts';
