import { ASSET_ROUTES } from './routes/assets.ts';
import { CONSOLE_ROUTES } from './routes/console.ts';
import type { Route } from './route.ts';
import { createAgent, deleteAgent, getAgent, listAgents, updateAgent } from './routes/agents.ts';
import * as apiKeys from './routes/api-keys.ts';
import {
  evaluate,
  evaluateAll,
  evaluateAllByIssuer,
  evaluateByIssuer,
} from './routes/evaluation.ts';
import { explain } from './routes/explain.ts';
import { EVIDENCE_ROUTES } from './routes/activity.ts';
import { impersonate, login, logout, refresh, verifyToken } from './routes/auth.ts';
import * as discovery from './routes/discovery.ts';
import * as delegations from './routes/delegations.ts';
import { getFeedbackAddress, receiveFeedback, receiveFeedbackByIssuer } from './routes/feedback.ts';
import { getIssuerKeySet, getKeySet } from './routes/key-set.ts';
import * as factors from './routes/factors.ts';
import * as providers from './routes/identity-providers.ts';
import * as authorize from './routes/authorize.ts';
import { CLIENT_ROUTES } from './routes/clients.ts';
import { FIRST_LOGIN_ROUTES } from './routes/first-login.ts';
import { INVITATION_PAGE_ROUTES } from './routes/invitation-pages.ts';
import { UNDO_PAGE_ROUTES } from './routes/undo-pages.ts';
import * as loginReturns from './routes/login-returns.ts';
import { CONSENT_ROUTES } from './routes/consents.ts';
import * as upstream from './routes/upstream-logins.ts';
import { ACCOUNT_ROUTES } from './routes/account.ts';
import { IDENTIFIER_ROUTES } from './routes/identifiers.ts';
import { ME_ROUTES } from './routes/own-routes.ts';
import { LOGO_ROUTES } from './routes/logos.ts';
import { PICTURE_ROUTES } from './routes/pictures.ts';
import { PREVIEW_ROUTES } from './routes/previews.ts';
import { TEST_LOGIN_ROUTES } from './routes/test-logins.ts';
import { TEXT_ROUTES } from './routes/texts.ts';
import { PROVIDER_DOMAIN_ROUTES } from './routes/provider-domains.ts';
import { PROVIDER_TEST_ROUTES } from './routes/provider-tests.ts';
import { LOGOUT_ROUTES } from './routes/logout.ts';
import * as invitations from './routes/invitations.ts';
import { getUserLocks, unlockUser } from './routes/user-locks.ts';
import { recoverUser } from './routes/user-recovery.ts';
import { getLoginMethods } from './routes/login-methods.ts';
import {
  startFlow,
  cancelFlow,
  getFlow,
  provePassword,
  repeatTokens,
} from './routes/login-flows.ts';
import { startStepUp } from './routes/step-up.ts';
import { confirmEnrolledTotp, enrollTotp } from './routes/flow-enrollment.ts';
import * as passkeys from './routes/passkeys.ts';
import { proveRecoveryCode, proveTotp } from './routes/flow-factors.ts';
import { setNewPassword } from './routes/flow-recovery.ts';
import { proveCode, proveLink, sendFlowMessage } from './routes/flow-messages.ts';
import { getMe, getCallerPermissions, updateMe } from './routes/me.ts';
import { TEMPLATE_ROUTES } from './routes/messages.ts';
import {
  deleteSuppression,
  getSuppression,
  listMessages,
  listSuppressions,
} from './routes/message-log.ts';
import { disableUser, getAgentDependents, getUserDependents } from './routes/dependents.ts';
import { createRole, deleteRole, getRole, listRoles, updateRole } from './routes/roles.ts';
import { health, live, openapi, root } from './routes/service.ts';
import { STATUS_ROUTES } from './routes/status.ts';
import { deleteSession, deleteSessions, listSessions } from './routes/sessions.ts';
import { IMPERSONATION_ROUTES } from './routes/impersonations.ts';
import { getInstallation } from './routes/installation.ts';
import { listKeys, retireKey, rotateKeys } from './routes/signing-keys.ts';
import {
  createTenant,
  deleteTenant,
  getTenant,
  getTenantDependents,
  listTenants,
  updateTenant,
} from './routes/tenants.ts';
import { issueToken, issueTokenByIssuer } from './routes/token.ts';
import { APPLICATION_ROUTES } from './routes/application-routes.ts';
import { RESOURCE_ROUTES } from './routes/resources.ts';
import { SIGNAL_ROUTES } from './routes/signals.ts';
import { previewTokens } from './routes/token-previews.ts';
import { getUserPermissions } from './routes/user-permissions.ts';
import * as users from './routes/users.ts';
import * as webhooks from './routes/webhooks.ts';
import * as workspaces from './routes/workspaces.ts';

/** Every route of the service, in the order of the reference. */
export const ROUTES: readonly Route[] = [
  login,
  startFlow,
  getFlow,
  provePassword,
  sendFlowMessage,
  proveCode,
  proveLink,
  setNewPassword,
  proveTotp,
  passkeys.startPasskey,
  passkeys.provePasskey,
  upstream.startUpstream,
  upstream.finishUpstream,
  proveRecoveryCode,
  enrollTotp,
  confirmEnrolledTotp,
  passkeys.offerEnrolledPasskey,
  passkeys.enrollPasskey,
  cancelFlow,
  repeatTokens,
  refresh,
  logout,
  verifyToken,
  getLoginMethods,
  evaluate,
  evaluateByIssuer,
  evaluateAll,
  evaluateAllByIssuer,
  explain,
  issueToken,
  issueTokenByIssuer,
  getMe,
  getCallerPermissions,
  updateMe,
  startStepUp,
  ...IDENTIFIER_ROUTES,
  factors.listFactors,
  factors.addTotp,
  factors.confirmTotp,
  passkeys.getRelatedOrigins,
  passkeys.offerPasskey,
  passkeys.addPasskey,
  factors.getFactor,
  factors.updateFactor,
  factors.deleteFactor,
  factors.createRecoveryCodes,
  ...ME_ROUTES,
  delegations.listDelegations,
  delegations.createDelegation,
  delegations.getDelegation,
  delegations.previewDelegation,
  delegations.deleteDelegation,
  users.listUsers,
  users.getProtection,
  users.exportUsers,
  users.getUser,
  users.createUser,
  users.importUsers,
  users.updateUser,
  users.deleteUser,
  getUserPermissions,
  previewTokens,
  getUserDependents,
  disableUser,
  factors.listUserFactors,
  factors.deleteUserFactor,
  recoverUser,
  getUserLocks,
  unlockUser,
  invitations.createInvitation,
  invitations.listInvitations,
  invitations.getInvitation,
  invitations.deleteInvitation,
  invitations.resendInvitation,
  listSessions,
  deleteSession,
  deleteSessions,
  workspaces.listWorkspaces,
  workspaces.createWorkspace,
  workspaces.getWorkspace,
  workspaces.updateWorkspace,
  workspaces.deleteWorkspace,
  workspaces.listMembers,
  workspaces.addMember,
  workspaces.removeMember,
  listRoles,
  createRole,
  getRole,
  updateRole,
  deleteRole,
  listAgents,
  createAgent,
  getAgent,
  updateAgent,
  deleteAgent,
  getAgentDependents,
  apiKeys.listApiKeys,
  apiKeys.createApiKey,
  apiKeys.getApiKey,
  apiKeys.rotateApiKey,
  apiKeys.deleteApiKey,
  apiKeys.reportApiKey,
  providers.listIdentityProviders,
  providers.prepareIdentityProvider,
  providers.createIdentityProvider,
  providers.getIdentityProvider,
  providers.updateIdentityProvider,
  providers.getIdentityProviderDependents,
  providers.deleteIdentityProvider,
  ...PROVIDER_TEST_ROUTES,
  ...PROVIDER_DOMAIN_ROUTES,
  ...ASSET_ROUTES,
  ...CONSOLE_ROUTES,
  ...LOGO_ROUTES,
  ...PICTURE_ROUTES,
  ...PREVIEW_ROUTES,
  ...TEXT_ROUTES,
  ...ACCOUNT_ROUTES,
  ...authorize.AUTHORIZE_ROUTES,
  ...LOGOUT_ROUTES,
  ...CLIENT_ROUTES,
  ...TEST_LOGIN_ROUTES,
  ...loginReturns.LOGIN_RETURN_ROUTES,
  ...INVITATION_PAGE_ROUTES,
  ...UNDO_PAGE_ROUTES,
  ...FIRST_LOGIN_ROUTES,
  ...RESOURCE_ROUTES,
  ...SIGNAL_ROUTES,
  ...CONSENT_ROUTES,
  ...APPLICATION_ROUTES,
  upstream.upstreamCallback,
  upstream.upstreamCallbackForm,
  ...webhooks.WEBHOOK_ROUTES,
  listKeys,
  rotateKeys,
  retireKey,
  ...EVIDENCE_ROUTES,
  listTenants,
  createTenant,
  getTenant,
  getTenantDependents,
  updateTenant,
  deleteTenant,
  getInstallation,
  impersonate,
  ...IMPERSONATION_ROUTES,
  ...TEMPLATE_ROUTES,
  listMessages,
  listSuppressions,
  getSuppression,
  deleteSuppression,
  getFeedbackAddress,
  receiveFeedback,
  receiveFeedbackByIssuer,
  getKeySet,
  getIssuerKeySet,
  discovery.getDecisionPoint,
  discovery.getDecisionPointOfIssuer,
  ...discovery.DISCOVERY_ROUTES,
  ...STATUS_ROUTES,
  health,
  live,
  openapi,
  root,
];
