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
export {
  codesList,
  codesView,
  newPasskeyView,
  passkeyView,
  qrOf,
  totpView,
} from './factor-views.ts';
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
export { field } from './fields.ts';
export {
  type Carried,
  aside,
  button,
  form,
  formPostView,
  hostOf,
  providerRedirectView,
  redirectView,
  shell,
  startAgainView,
  stoppedView,
  tooOldView,
  typedProblem,
  withIcon,
} from './page.ts';
export {
  folded,
  identifierView,
  lastUsedMark,
  type LoginMethods,
  type LoginPage,
  providerForms,
  registrationView,
  StartPages,
  startView,
} from './login-view.ts';
export { loggedOutView, logoutView, stayedView } from './logout-view.ts';
export { stepsView } from './steps-view.ts';
