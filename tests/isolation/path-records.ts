import { randomBytes } from 'node:crypto';
import type { ErrorCode } from '@keywright/contract/errors';
import {
  newAgentId,
  newApiKeyId,
  newClientSecretId,
  newConsentId,
  newDelegationId,
  newEventId,
  newFactorId,
  newInvitationId,
  newLoginFlowId,
  newOAuthClientId,
  newOAuthResourceId,
  newRegistrationTokenId,
  newSessionId,
  newSignalStreamId,
  newSigningKeyId,
  newUserId,
  newIdentityProviderId,
  newWebhookId,
} from '@keywright/server/platform/crypto/ids';
import { newIdentifier } from '../harness/credentials.ts';
import { headerOf, sessionOf } from '../harness/token.ts';
import { publishKey } from './published-key.ts';
import { randomName } from './requests.ts';
import type { Side, World } from './world.ts';

/** A kind of record that is named in paths. */
export interface PathRecord {
  /** An existing record that no request deletes, for rejected requests. */
  readonly present: (side: Side) => string;
  /** A new record for granted requests, since some routes delete it. */
  readonly make: (world: World) => Promise<string>;
  /** A well-formed unknown id. */
  readonly random: () => string;
  /** The error code for an unknown id; default NOT_FOUND. */
  readonly refusal?: ErrorCode;
}

const API_KEY: PathRecord = {
  present: (side) => side.robot.record.id,
  make: async ({ own }) => (await own.tenant.createAgent()).record.id,
  random: () => newApiKeyId(new Date()),
};

const SECOND_STEP: PathRecord = {
  present: (side) => side.flowId,
  make: ({ own }) => own.startSecondStep(),
  random: () => newLoginFlowId(new Date()),
  refusal: 'FLOW_ENDED',
};

const OF_DOMAIN: PathRecord = {
  present: (side) => side.providerId,
  make: async ({ own }) => own.providerId,
  random: () => newIdentityProviderId(new Date()),
};
/** The application that was registered last. */
const REGISTRATION: PathRecord = {
  present: (side) => side.lastRegistration(),
  make: async ({ own }) => own.lastRegistration(),
  random: () => newOAuthClientId(new Date()),
  refusal: 'REGISTRATION_TOKEN_INVALID',
};
const RECOVERY: PathRecord = { ...SECOND_STEP, make: ({ own }) => own.startRecovery() };
const MESSAGE: PathRecord = { ...SECOND_STEP, make: ({ own }) => own.startMessage() };
const COMPLETED: PathRecord = { ...SECOND_STEP, make: ({ own }) => own.completeFlow() };
const PASSKEY: PathRecord = { ...SECOND_STEP, make: ({ own }) => own.startPasskey() };
/** An invitation of the acting administrator. */
const ADMIN_INVITATION: PathRecord = {
  present: (side) => side.invitationId,
  make: async ({ own }) => own.invite(await own.giveIdentifier(true)),
  random: () => newInvitationId(new Date()),
};
const UPSTREAM: PathRecord = { ...SECOND_STEP, make: ({ own }) => own.startUpstream() };
const ENROLMENT: PathRecord = { ...SECOND_STEP, make: ({ own }) => own.startEnrolment() };

/** Keyed by the path parameter's name, or by the route's id and that name if the route needs another record. */
export const PATH_RECORDS: Readonly<Record<string, PathRecord>> = {
  user_id: {
    present: (side) => side.member.user.id,
    make: async ({ own }) => (await own.tenant.createUser()).user.id,
    random: () => newUserId(new Date()),
  },
  session_id: {
    present: (side) => sessionOf(side.member.token),
    make: async ({ own }) => sessionOf((await own.tenant.createUser()).token),
    random: () => newSessionId(new Date()),
  },
  workspace_id: {
    present: (side) => side.workspaceId,
    make: ({ own }) => own.createWorkspace(randomName()),
    random: () => `ws_${randomName()}`,
  },
  role: {
    present: (side) => side.role,
    make: ({ own }) => own.createRole(randomName()),
    random: () => randomName(),
  },
  key_id: {
    present: (side) => headerOf(side.member.token).kid,
    // An old one: no token was signed with it.
    make: async ({ keywright, own }) => (await publishKey(keywright, own.tenant)).kid,
    random: () => newSigningKeyId(new Date()),
  },
  agent_id: {
    present: (side) => side.robot.agent.id,
    make: async ({ own }) => (await own.tenant.createAgent()).agent.id,
    random: () => newAgentId(new Date()),
  },
  'delegations.preview agent_id': {
    present: (side) => side.robot.agent.id,
    make: async ({ own }) => (await own.tenant.createAgent({ scopes: ['read:users'] })).agent.id,
    random: () => newAgentId(new Date()),
  },
  webhook_id: {
    present: (side) => side.webhookId,
    make: ({ own }) => own.createWebhook(),
    random: () => newWebhookId(new Date()),
  },
  provider_id: {
    present: (side) => side.providerId,
    make: ({ own }) => own.createProvider(),
    random: () => newIdentityProviderId(new Date()),
  },
  stream_id: {
    present: (side) => side.streamId,
    make: ({ own }) => own.newStream(),
    random: () => newSignalStreamId(new Date()),
    refusal: 'TOKEN_INVALID',
  },
  client_id: {
    present: (side) => side.clientId,
    make: async ({ own }) => (await own.createClient()).clientId,
    random: () => newOAuthClientId(new Date()),
  },
  'oauth.read_registration client_id': REGISTRATION,
  'oauth.read_registration_by_issuer client_id': REGISTRATION,
  'oauth.change_registration client_id': REGISTRATION,
  'oauth.change_registration_by_issuer client_id': REGISTRATION,
  'oauth.delete_registration client_id': REGISTRATION,
  'oauth.delete_registration_by_issuer client_id': REGISTRATION,
  token_id: {
    present: (side) => side.registrationTokenId,
    make: ({ own }) => own.createRegistrationToken(),
    random: () => newRegistrationTokenId(new Date()),
  },
  'clients.list_streams client_id': {
    present: (side) => side.receiverId,
    make: async ({ own }) => own.receiverId,
    random: () => newOAuthClientId(new Date()),
  },
  'clients.get_stream client_id': {
    present: (side) => side.receiverId,
    make: async ({ own }) => own.receiverId,
    random: () => newOAuthClientId(new Date()),
  },
  'clients.get_stream stream_id': {
    present: (side) => side.streamId,
    make: ({ own }) => own.newStream(),
    random: () => newSignalStreamId(new Date()),
  },
  'clients.update_stream client_id': {
    present: (side) => side.receiverId,
    make: async ({ own }) => own.receiverId,
    random: () => newOAuthClientId(new Date()),
  },
  'clients.update_stream stream_id': {
    present: (side) => side.streamId,
    make: ({ own }) => own.newStream(),
    random: () => newSignalStreamId(new Date()),
  },
  'clients.delete_stream client_id': {
    present: (side) => side.receiverId,
    make: async ({ own }) => own.receiverId,
    random: () => newOAuthClientId(new Date()),
  },
  'clients.delete_stream stream_id': {
    present: (side) => side.streamId,
    make: ({ own }) => own.newStream(),
    random: () => newSignalStreamId(new Date()),
  },
  'clients.delete_secret client_id': {
    present: (side) => side.clientId,
    make: async ({ own }) => own.clientId,
    random: () => newOAuthClientId(new Date()),
  },
  resource_id: {
    present: (side) => side.resourceId,
    make: ({ own }) => own.createResource(),
    random: () => newOAuthResourceId(new Date()),
  },
  consent_id: {
    present: (side) => side.consentId,
    make: ({ own }) => own.allowClient(),
    random: () => newConsentId(new Date()),
  },
  secret_id: {
    present: (side) => side.clientSecretId,
    make: async ({ own }) => own.addClientSecret(),
    random: () => newClientSecretId(new Date()),
  },
  delivery_id: {
    present: (side) => side.deliveryId,
    make: async ({ own }) => own.deliveryId,
    random: () => newEventId(new Date()).replace('evt_', 'job_'),
  },
  'webhooks.retry_delivery webhook_id': {
    present: (side) => side.webhookId,
    make: async ({ own }) => own.webhookId,
    random: () => newWebhookId(new Date()),
  },
  delegation_id: {
    present: (side) => side.delegationId,
    make: async ({ own }) => own.delegate((await own.tenant.createAgent()).agent.id),
    random: () => newDelegationId(new Date()),
  },
  flow_id: {
    present: (side) => side.flowId,
    make: ({ own }) => own.startFlow(),
    random: () => newLoginFlowId(new Date()),
    refusal: 'FLOW_ENDED',
  },
  'flows.new_password flow_id': RECOVERY,
  'flows.tokens flow_id': COMPLETED,
  'flows.code flow_id': MESSAGE,
  'flows.link flow_id': MESSAGE,
  'flows.enrol_totp flow_id': ENROLMENT,
  'flows.confirm_totp flow_id': ENROLMENT,
  'flows.enrol_passkey_options flow_id': ENROLMENT,
  'flows.enrol_passkey flow_id': ENROLMENT,
  'flows.passkey_options flow_id': PASSKEY,
  'flows.passkey flow_id': PASSKEY,
  'identities.delete provider_id': {
    present: (side) => side.providerId,
    make: ({ own }) => own.linkIdentity(),
    random: () => newIdentityProviderId(new Date()),
  },
  'providers.test provider_id': {
    present: (side) => side.providerId,
    make: ({ own }) => own.upstreamProvider(),
    random: () => newIdentityProviderId(new Date()),
  },
  'providers.finish_test provider_id': {
    present: (side) => side.providerId,
    make: ({ own }) => own.testProvider(),
    random: () => newIdentityProviderId(new Date()),
  },
  'providers.verify_domain provider_id': OF_DOMAIN,
  'providers.remove_domain provider_id': OF_DOMAIN,
  domain: {
    present: (side) => side.domain,
    make: ({ own }) => own.addDomain(),
    random: () => `${randomName()}.example.org`,
  },
  'flows.oauth flow_id': UPSTREAM,
  'flows.finish_oauth flow_id': UPSTREAM,
  'flows.totp flow_id': SECOND_STEP,
  'flows.recovery_code flow_id': SECOND_STEP,
  identifier: {
    present: (side) => side.admin.identifier,
    make: ({ own }) => own.giveIdentifier(),
    random: () => newIdentifier(),
  },
  'identifiers.make_primary identifier': {
    present: (side) => side.admin.identifier,
    make: ({ own }) => own.giveIdentifier(true),
    random: () => newIdentifier(),
  },
  factor_id: {
    present: (side) => side.factorIds.ofAdmin,
    make: ({ own }) => own.addTotp(own.admin),
    random: () => newFactorId(new Date()),
  },
  invitation_id: {
    present: (side) => side.invitationId,
    make: ({ own }) => own.invite(),
    random: () => newInvitationId(new Date()),
  },
  'invitations.accept invitation_id': ADMIN_INVITATION,
  'invitations.decline invitation_id': ADMIN_INVITATION,
  'users.recover user_id': {
    present: (side) => side.member.user.id,
    make: ({ own }) => own.reachable(),
    random: () => newUserId(new Date()),
  },
  'users.list_factors user_id': {
    present: (side) => side.member.user.id,
    make: async ({ own }) => own.member.user.id,
    random: () => newUserId(new Date()),
  },
  'users.delete_factor user_id': {
    present: (side) => side.member.user.id,
    make: async ({ own }) => own.member.user.id,
    random: () => newUserId(new Date()),
  },
  'users.delete_factor factor_id': {
    present: (side) => side.factorIds.ofMember,
    make: ({ own }) => own.addTotp(own.member),
    random: () => newFactorId(new Date()),
  },
  'apikeys.get key_id': API_KEY,
  'apikeys.rotate key_id': API_KEY,
  'apikeys.delete key_id': API_KEY,
  kind: { present: () => 'login', make: async () => 'login', random: () => 'nothing' },
  'branding.put_logo kind': {
    present: () => 'logo_dark',
    make: async () => 'logo_dark',
    random: () => 'nothing',
  },
  // The next route uploads it again: lists need both kinds.
  'branding.delete_logo kind': {
    present: () => 'logo_dark',
    make: async ({ own: { tenant } }) => {
      const body = { image: 'PHN2Zy8+' };
      await tenant.request('PUT', '/logos/logo_dark', { token: await tenant.adminToken(), body });
      return 'logo_dark';
    },
    random: () => 'nothing',
  },
  locale: { present: () => 'en', make: async () => 'en', random: () => 'tlh' },
  'messaging.delete_template locale': {
    present: () => 'tlh',
    make: ({ own }) => own.writeTemplate(),
    random: () => 'tlh',
  },
  key: { present: () => 'login.title', make: async () => 'login.title', random: () => 'nothing' },
  'branding.delete_text key': {
    present: () => 'login.title',
    make: ({ own }) => own.writeText(),
    random: () => 'nothing',
  },
  suppression: {
    present: (side) => side.suppressionId,
    make: ({ own }) => own.suppress(`${randomName()}@example.org`),
    random: () => randomBytes(32).toString('base64url'),
  },
  token: {
    present: (side) => side.feedbackToken,
    make: async ({ own }) => own.feedbackToken,
    random: () => randomBytes(32).toString('base64url'),
  },
  digest: {
    present: (side) => side.logoDigest,
    make: async ({ own }) => own.logoDigest,
    random: () => randomBytes(32).toString('hex'),
  },
  shard: { present: () => '0', make: async () => '0', random: () => '999999999' },
  tenant_id: {
    present: (side) => side.tenant.id,
    make: async ({ own }) => own.tenant.id,
    random: () => `org_${randomName()}`,
  },
  'tenants.delete tenant_id': {
    present: (side) => side.tenant.id,
    make: async ({ keywright }) => (await keywright.tenant(randomName())).id,
    random: () => `org_${randomName()}`,
  },
};
