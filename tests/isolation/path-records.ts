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
import { FONTS } from '@keywright/server/platform/http/pages/fonts';
import { newIdentifier } from '../harness/credentials.ts';
import { storePicture } from '../harness/picture.ts';
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

const RECEIVER: PathRecord = {
  present: (side) => side.receiverId,
  make: async ({ local }) => local.receiverId,
  random: () => newOAuthClientId(new Date()),
};

const API_KEY: PathRecord = {
  present: (side) => side.robot.record.id,
  make: async ({ local }) => (await local.tenant.createAgent()).record.id,
  random: () => newApiKeyId(new Date()),
};

const SECOND_STEP: PathRecord = {
  present: (side) => side.flowId,
  make: ({ local }) => local.startSecondStep(),
  random: () => newLoginFlowId(new Date()),
  refusal: 'FLOW_ENDED',
};

const PICTURE: PathRecord = {
  present: (side) => side.pictureDigest,
  make: async ({ local: { tenant } }) => storePicture(tenant, await tenant.createUser()),
  random: () => randomBytes(32).toString('hex'),
};

const OF_DOMAIN: PathRecord = {
  present: (side) => side.providerId,
  make: async ({ local }) => local.providerId,
  random: () => newIdentityProviderId(new Date()),
};
/** The application that was registered last. */
const REGISTRATION: PathRecord = {
  present: (side) => side.lastRegistration(),
  make: async ({ local }) => local.lastRegistration(),
  random: () => newOAuthClientId(new Date()),
  refusal: 'REGISTRATION_TOKEN_INVALID',
};
const RECOVERY: PathRecord = { ...SECOND_STEP, make: ({ local }) => local.startRecovery() };
const MESSAGE: PathRecord = { ...SECOND_STEP, make: ({ local }) => local.startMessage() };
const COMPLETED: PathRecord = { ...SECOND_STEP, make: ({ local }) => local.completeFlow() };
const PASSKEY: PathRecord = { ...SECOND_STEP, make: ({ local }) => local.startPasskey() };
/** An invitation of the acting administrator. */
const ADMIN_INVITATION: PathRecord = {
  present: (side) => side.invitationId,
  make: async ({ local }) => local.invite(await local.giveIdentifier(true)),
  random: () => newInvitationId(new Date()),
};
const MEMBER: PathRecord = {
  present: (side) => side.member.user.id,
  make: async ({ local }) => local.member.user.id,
  random: () => newUserId(new Date()),
};
const UPSTREAM: PathRecord = { ...SECOND_STEP, make: ({ local }) => local.startUpstream() };
const ENROLLMENT: PathRecord = { ...SECOND_STEP, make: ({ local }) => local.startEnrollment() };

/** Keyed by the path parameter's name, or by the route's id and that name if the route needs another record. */
export const PATH_RECORDS: Readonly<Record<string, PathRecord>> = {
  user_id: {
    present: (side) => side.member.user.id,
    make: async ({ local }) => (await local.tenant.createUser()).user.id,
    random: () => newUserId(new Date()),
  },
  session_id: {
    present: (side) => sessionOf(side.member.token),
    make: async ({ local }) => sessionOf((await local.tenant.createUser()).token),
    random: () => newSessionId(new Date()),
  },
  workspace_id: {
    present: (side) => side.workspaceId,
    make: ({ local }) => local.createWorkspace(randomName()),
    random: () => `ws_${randomName()}`,
  },
  role: {
    present: (side) => side.role,
    make: ({ local }) => local.createRole(randomName()),
    random: () => randomName(),
  },
  key_id: {
    present: (side) => headerOf(side.member.token).kid,
    // An old one: no token was signed with it.
    make: async ({ keywright, local }) => (await publishKey(keywright, local.tenant)).kid,
    random: () => newSigningKeyId(new Date()),
  },
  agent_id: {
    present: (side) => side.robot.agent.id,
    make: async ({ local }) => (await local.tenant.createAgent()).agent.id,
    random: () => newAgentId(new Date()),
  },
  'delegations.preview agent_id': {
    present: (side) => side.robot.agent.id,
    make: async ({ local }) =>
      (await local.tenant.createAgent({ scopes: ['read:users'] })).agent.id,
    random: () => newAgentId(new Date()),
  },
  webhook_id: {
    present: (side) => side.webhookId,
    make: ({ local }) => local.createWebhook(),
    random: () => newWebhookId(new Date()),
  },
  provider_id: {
    present: (side) => side.providerId,
    make: ({ local }) => local.createProvider(),
    random: () => newIdentityProviderId(new Date()),
  },
  stream_id: {
    present: (side) => side.streamId,
    make: ({ local }) => local.newStream(),
    random: () => newSignalStreamId(new Date()),
    refusal: 'TOKEN_INVALID',
  },
  client_id: {
    present: (side) => side.clientId,
    make: async ({ local }) => (await local.createClient()).clientId,
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
    make: ({ local }) => local.createRegistrationToken(),
    random: () => newRegistrationTokenId(new Date()),
  },
  'clients.list_streams client_id': RECEIVER,
  'clients.get_stream client_id': RECEIVER,
  'clients.get_stream stream_id': {
    present: (side) => side.streamId,
    make: ({ local }) => local.newStream(),
    random: () => newSignalStreamId(new Date()),
  },
  'clients.update_stream client_id': RECEIVER,
  'clients.update_stream stream_id': {
    present: (side) => side.streamId,
    make: ({ local }) => local.newStream(),
    random: () => newSignalStreamId(new Date()),
  },
  'clients.delete_stream client_id': RECEIVER,
  'clients.delete_stream stream_id': {
    present: (side) => side.streamId,
    make: ({ local }) => local.newStream(),
    random: () => newSignalStreamId(new Date()),
  },
  'clients.delete_secret client_id': {
    present: (side) => side.clientId,
    make: async ({ local }) => local.clientId,
    random: () => newOAuthClientId(new Date()),
  },
  resource_id: {
    present: (side) => side.resourceId,
    make: ({ local }) => local.createResource(),
    random: () => newOAuthResourceId(new Date()),
  },
  consent_id: {
    present: (side) => side.consentId,
    make: ({ local }) => local.allowClient(),
    random: () => newConsentId(new Date()),
  },
  secret_id: {
    present: (side) => side.clientSecretId,
    make: async ({ local }) => local.addClientSecret(),
    random: () => newClientSecretId(new Date()),
  },
  delivery_id: {
    present: (side) => side.deliveryId,
    make: async ({ local }) => local.deliveryId,
    random: () => newEventId(new Date()).replace('evt_', 'job_'),
  },
  'webhooks.retry_delivery webhook_id': {
    present: (side) => side.webhookId,
    make: async ({ local }) => local.webhookId,
    random: () => newWebhookId(new Date()),
  },
  delegation_id: {
    present: (side) => side.delegationId,
    make: async ({ local }) => local.delegate((await local.tenant.createAgent()).agent.id),
    random: () => newDelegationId(new Date()),
  },
  flow_id: {
    present: (side) => side.flowId,
    make: ({ local }) => local.startFlow(),
    random: () => newLoginFlowId(new Date()),
    refusal: 'FLOW_ENDED',
  },
  'flows.new_password flow_id': RECOVERY,
  'flows.tokens flow_id': COMPLETED,
  'flows.code flow_id': MESSAGE,
  'flows.link flow_id': MESSAGE,
  'flows.enroll_totp flow_id': ENROLLMENT,
  'flows.confirm_totp flow_id': ENROLLMENT,
  'flows.enroll_passkey_options flow_id': ENROLLMENT,
  'flows.enroll_passkey flow_id': ENROLLMENT,
  'flows.passkey_options flow_id': PASSKEY,
  'flows.passkey flow_id': PASSKEY,
  'identities.delete provider_id': {
    present: (side) => side.providerId,
    make: ({ local }) => local.linkIdentity(),
    random: () => newIdentityProviderId(new Date()),
  },
  'providers.test provider_id': {
    present: (side) => side.providerId,
    make: ({ local }) => local.upstreamProvider(),
    random: () => newIdentityProviderId(new Date()),
  },
  'providers.finish_test provider_id': {
    present: (side) => side.providerId,
    make: ({ local }) => local.testProvider(),
    random: () => newIdentityProviderId(new Date()),
  },
  'providers.verify_domain provider_id': OF_DOMAIN,
  'providers.remove_domain provider_id': OF_DOMAIN,
  domain: {
    present: (side) => side.domain,
    make: ({ local }) => local.addDomain(),
    random: () => `${randomName()}.example.org`,
  },
  'flows.oauth flow_id': UPSTREAM,
  'flows.finish_oauth flow_id': UPSTREAM,
  'flows.totp flow_id': SECOND_STEP,
  'flows.recovery_code flow_id': SECOND_STEP,
  identifier: {
    present: (side) => side.admin.identifier,
    make: ({ local }) => local.giveIdentifier(),
    random: () => newIdentifier(),
  },
  'identifiers.make_primary identifier': {
    present: (side) => side.admin.identifier,
    make: ({ local }) => local.giveIdentifier(true),
    random: () => newIdentifier(),
  },
  factor_id: {
    present: (side) => side.factorIds.ofAdmin,
    make: ({ local }) => local.addTotp(local.admin),
    random: () => newFactorId(new Date()),
  },
  invitation_id: {
    present: (side) => side.invitationId,
    make: ({ local }) => local.invite(),
    random: () => newInvitationId(new Date()),
  },
  'invitations.accept invitation_id': ADMIN_INVITATION,
  'invitations.decline invitation_id': ADMIN_INVITATION,
  'users.recover user_id': {
    present: (side) => side.member.user.id,
    make: ({ local }) => local.reachable(),
    random: () => newUserId(new Date()),
  },
  'users.get_locks user_id': MEMBER,
  'users.unlock user_id': MEMBER,
  'users.list_factors user_id': MEMBER,
  'users.delete_factor user_id': MEMBER,
  'users.delete_factor factor_id': {
    present: (side) => side.factorIds.ofMember,
    make: ({ local }) => local.addTotp(local.member),
    random: () => newFactorId(new Date()),
  },
  'apikeys.get key_id': API_KEY,
  'apikeys.rotate key_id': API_KEY,
  'apikeys.delete key_id': API_KEY,
  kind: { present: () => 'login', make: async () => 'login', random: () => 'nothing' },
  file: {
    present: () => FONTS.geist.file,
    make: async () => FONTS.geist.file,
    random: () => 'nothing.woff2',
  },
  'branding.put_logo kind': {
    present: () => 'logo_dark',
    make: async () => 'logo_dark',
    random: () => 'nothing',
  },
  'clients.put_image kind': {
    present: () => 'icon',
    make: async () => 'icon',
    random: () => 'nothing',
  },
  'clients.delete_image client_id': RECEIVER,
  'clients.delete_image kind': {
    present: () => 'icon',
    make: async ({ local: { tenant, receiverId } }) => {
      const options = { token: await tenant.adminToken(), body: { image: 'PHN2Zy8+' } };
      await tenant.request('PUT', `/clients/${receiverId}/branding/images/icon`, options);
      return 'icon';
    },
    random: () => 'nothing',
  },
  // The next route uploads it again: lists need both kinds.
  'branding.delete_logo kind': {
    present: () => 'logo_dark',
    make: async ({ local: { tenant } }) => {
      const body = { image: 'PHN2Zy8+' };
      await tenant.request('PUT', '/logos/logo_dark', { token: await tenant.adminToken(), body });
      return 'logo_dark';
    },
    random: () => 'nothing',
  },
  locale: { present: () => 'en', make: async () => 'en', random: () => 'tlh' },
  'messaging.delete_template locale': {
    present: () => 'tlh',
    make: ({ local }) => local.writeTemplate(),
    random: () => 'tlh',
  },
  key: { present: () => 'login.title', make: async () => 'login.title', random: () => 'nothing' },
  'branding.delete_text key': {
    present: () => 'login.title',
    make: ({ local }) => local.writeText(),
    random: () => 'nothing',
  },
  suppression: {
    present: (side) => side.suppressionId,
    make: ({ local }) => local.suppress(`${randomName()}@example.org`),
    random: () => randomBytes(32).toString('base64url'),
  },
  token: {
    present: (side) => side.feedbackToken,
    make: async ({ local }) => local.feedbackToken,
    random: () => randomBytes(32).toString('base64url'),
  },
  'users.get_picture digest': PICTURE,
  'users.get_issuer_picture digest': PICTURE,
  // A user with a picture.
  'users.delete_picture user_id': {
    present: (side) => side.idler.user.id,
    make: async ({ local: { tenant } }) => {
      const user = await tenant.createUser();
      await storePicture(tenant, user);
      return user.user.id;
    },
    random: () => newUserId(new Date()),
  },
  digest: {
    present: (side) => side.logoDigest,
    make: async ({ local }) => local.logoDigest,
    random: () => randomBytes(32).toString('hex'),
  },
  shard: { present: () => '0', make: async () => '0', random: () => '999999999' },
  tenant_id: {
    present: (side) => side.tenant.id,
    make: async ({ local }) => local.tenant.id,
    random: () => `org_${randomName()}`,
  },
  'tenants.delete tenant_id': {
    present: (side) => side.tenant.id,
    make: async ({ keywright }) => (await keywright.tenant(randomName())).id,
    random: () => `org_${randomName()}`,
  },
};
