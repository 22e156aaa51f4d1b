export {
  accountView,
  type AuthorizationDetail,
  confirmationView,
  consentView,
  type DetailField,
  deviceEndView,
  deviceView,
  meaningOf,
  type Permission,
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
  hostOf,
  providerRedirectView,
  redirectView,
  startAgainView,
  stoppedView,
  tooOldView,
} from './redirect-views.ts';
export {
  folded,
  identifierView,
  lastUsedMark,
  type LoginMethods,
  type LoginPage,
  providerForms,
  registrationView,
  startView,
} from './login-view.ts';
export { loggedOutView, logoutView, stayedView } from './logout-view.ts';
export { stepsView } from './steps-view.ts';
