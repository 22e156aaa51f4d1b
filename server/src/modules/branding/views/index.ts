export {
  accountView,
  confirmationView,
  consentView,
  deviceEndView,
  deviceView,
  meaningOf,
  type ParticularGrant,
  type Permission,
  type SaidField,
  type ShownDevice,
} from './consent-views.ts';
export { codesView, newPasskeyView, passkeyView, qrOf, totpView } from './factor-views.ts';
export {
  browserOf,
  elsewhereView,
  endedFirstLoginView,
  endedInvitationView,
  endedLinkView,
  firstLoginView,
  invitationView,
  linkView,
  undoneView,
  undoPasskeyView,
  undoView,
} from './link-views.ts';
export { aside, button, type Carried, field, form, shell, typedProblem } from './page.ts';
export {
  formPostView,
  goView,
  hostOf,
  leaveView,
  startAgainView,
  stoppedView,
  tooOldView,
} from './redirect-views.ts';
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
export { stepsView } from './steps-view.ts';
