// A granted request of each route. A missing one fails with a message.

import { randomBytes } from 'node:crypto';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { evaluationOf } from '../harness/evaluation.ts';
import { expectStatus } from '../harness/http.ts';
import { newPicture, storePicture } from '../harness/picture.ts';
import type { TestAgent } from '../harness/tenant.ts';
import { until } from '../harness/until.ts';
import { RETURN_URL } from '../harness/upstream.ts';
import { upstreamBodyOf } from './furnish-upstream.ts';
import type { Side, World } from './world.ts';

/** The parts of a request besides its path. */
export interface RequestParts {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** JSON lines, instead of a body. */
  readonly lines?: readonly object[];
  readonly headers?: Readonly<Record<string, string>>;
}

type MakeParts = (side: Side) => Promise<RequestParts> | RequestParts;

const NOTHING: MakeParts = () => ({});

const FEEDBACK: MakeParts = () => ({
  body: {
    type: 'bounce',
    id: randomName(),
    email: `${randomName()}@example.org`,
    at: new Date().toISOString(),
  },
});

const METADATA = { redirect_uris: ['https://app.example.com/callback'] };
const REGISTRATION: MakeParts = () => ({ body: METADATA });
const CHANGE: MakeParts = (side) => ({
  body: { ...METADATA, client_id: side.lastRegistration() },
});

/** Keyed by the route's id; required for routes with a body or a query. */
export const REQUESTS: Readonly<Record<string, MakeParts>> = {
  'auth.login': ({ member }) => ({ body: credentialsOf(member) }),
  'flows.begin': ({ member }) => ({ body: { identifier: member.identifier } }),
  'flows.get': ({ lastFlowToken }) => ({ headers: { 'x-flow-token': lastFlowToken() } }),
  'flows.password': ({ member, lastFlowToken }) => ({
    body: { flow_token: lastFlowToken(), secret: member.password },
  }),
  'flows.message': ({ lastFlowToken }) => ({ body: { flow_token: lastFlowToken() } }),
  'flows.new_password': ({ lastMessage }) => ({
    body: { flow_token: lastMessage().flow_token, secret: newPassword() },
  }),
  'flows.code': ({ lastMessage }) => {
    const { flow_token, code } = lastMessage();
    return { body: { flow_token, code } };
  },
  'flows.link': ({ lastMessage }) => {
    const { flow_token, link_token } = lastMessage();
    return { body: { flow_token, link_token } };
  },
  'flows.totp': ({ lastSecondStep }) => ({ body: lastSecondStep('totp') }),
  'flows.recovery_code': ({ lastSecondStep }) => ({ body: lastSecondStep('recovery_code') }),
  'flows.enroll_totp': async ({ lastEnrollment }) => {
    const { flow_token } = await lastEnrollment();
    return { body: { flow_token } };
  },
  'flows.confirm_totp': async ({ lastEnrollment }) => ({ body: await lastEnrollment() }),
  'flows.passkey_options': ({ lastPasskey }) => {
    const { flow_token } = lastPasskey();
    return { body: { flow_token } };
  },
  'flows.passkey': ({ lastPasskey }) => ({ body: { ...lastPasskey() } }),
  'identities.list': NOTHING,
  'me.preview_deletion': NOTHING,
  'me.delete': async (side) => ({ body: { identifier: (await side.leaver()).identifier } }),
  'identities.begin': async ({ upstreamProvider }) => ({
    body: { provider: await upstreamProvider(), return_url: RETURN_URL },
  }),
  'identities.finish': async ({ linkHandoff }) => ({
    body: { handoff: await linkHandoff() },
  }),
  'providers.add_domain': () => ({ body: { domain: `${randomName()}.example.org` } }),
  'branding.list_logos': NOTHING,
  'tokens.preview': ({ member }) => ({ body: { user_id: member.user.id } }),
  'branding.preview': () => ({ body: { page: 'consent', branding: { primary_color: '#0b6e4f' } } }),
  'console.tenant': NOTHING,
  'console.session': NOTHING,
  'pages.font': NOTHING,
  'pages.issuer_font': NOTHING,
  'pages.stylesheet': NOTHING,
  'pages.issuer_stylesheet': NOTHING,
  'providers.list_domains': NOTHING,
  'providers.prepare': NOTHING,
  'providers.verify_domain': NOTHING,
  'providers.test': () => ({ body: { return_url: RETURN_URL } }),
  'providers.finish_test': ({ lastTested }) => ({ body: { handoff: lastTested() } }),
  'flows.oauth': (side) => ({ body: upstreamBodyOf(side, 'begin') }),
  'flows.finish_oauth': (side) => ({ body: upstreamBodyOf(side, 'finish') }),
  'flows.enroll_passkey_options': async ({ lastPasskeyEnrollment }) => {
    const { flow_token } = await lastPasskeyEnrollment();
    return { body: { flow_token } };
  },
  'flows.enroll_passkey': async ({ lastPasskeyEnrollment }) => ({
    body: { ...(await lastPasskeyEnrollment()) },
  }),
  'factors.add_passkey': async ({ newPasskey }) => ({ body: { credential: await newPasskey() } }),
  'flows.cancel': ({ lastFlowToken }) => ({ body: { flow_token: lastFlowToken() } }),
  'flows.tokens': ({ lastFlowToken }) => ({ body: { flow_token: lastFlowToken() } }),
  'auth.refresh': async ({ tenant, member }) => {
    const answer = await tenant.login(member.identifier, member.password);
    return { body: { refresh_token: answer.refresh_token } };
  },
  'auth.verify_token': ({ member }) => ({ body: { token: member.token } }),
  'auth.token': ({ robot }) => ({ body: { grant_type: 'client_credentials', ...clientOf(robot) } }),
  'auth.token_by_issuer': ({ robot }) => ({
    body: { grant_type: 'client_credentials', ...clientOf(robot) },
  }),
  'key_set.get': () => ({ query: { alg: 'EdDSA' } }),
  'key_set.get_by_issuer': () => ({ query: { alg: 'EdDSA' } }),
  'access.evaluation': ({ member }) => ({
    body: evaluationOf({ token: member.token, scope: 'read:users' }),
  }),
  'access.evaluation_by_issuer': ({ member }) => ({
    body: evaluationOf({ token: member.token, scope: 'read:users' }),
  }),
  'access.evaluations': ({ member }) => ({
    body: evaluationOf({ token: member.token, scope: 'read:users' }),
  }),
  'access.evaluations_by_issuer': ({ member }) => ({
    body: evaluationOf({ token: member.token, scope: 'read:users' }),
  }),
  'access.explain': ({ member }) => ({ body: { token: member.token, scope: 'read:users' } }),
  'userinfo.post': () => ({ body: {} }),
  'userinfo.post_by_issuer': () => ({ body: {} }),
  'oauth.register': REGISTRATION,
  'oauth.register_by_issuer': REGISTRATION,
  'oauth.change_registration': CHANGE,
  'oauth.change_registration_by_issuer': CHANGE,
  'oauth.revoke': async (side) => ({ body: await side.tokenOfClient() }),
  'oauth.revoke_by_issuer': async (side) => ({ body: await side.tokenOfClient() }),
  'oauth.challenge': async (side) => ({ body: await side.challengeOfClient() }),
  'oauth.challenge_by_issuer': async (side) => ({ body: await side.challengeOfClient() }),
  'oauth.push': async (side) => ({ body: await side.requestOfClient() }),
  'oauth.push_by_issuer': async (side) => ({ body: await side.requestOfClient() }),
  'oauth.device_authorization': async (side) => ({ body: await side.deviceOfClient() }),
  'oauth.device_authorization_by_issuer': async (side) => ({ body: await side.deviceOfClient() }),
  'oauth.introspect': async (side) => ({ body: await side.tokenOfClient() }),
  'oauth.introspect_by_issuer': async (side) => ({ body: await side.tokenOfClient() }),
  'auth.impersonate': ({ tenant }) => ({
    body: { tenant_id: tenant.id, reason: 'they asked us to' },
  }),
  'me.step_up': () => ({ body: {} }),
  'me.update': () => ({ body: { user_metadata: { seen: true } } }),
  'me.get_profile': NOTHING,
  'me.request_export': NOTHING,
  'me.get_export': NOTHING,
  'me.read_export': NOTHING,
  'me.update_profile': () => ({ body: { name: randomName() } }),
  'identifiers.make_primary': NOTHING,
  'identifiers.send': () => ({ body: { identifier: newIdentifier() } }),
  'identifiers.undo': async ({ changeIdentifiers }) => ({
    body: { undo_token: await changeIdentifiers() },
  }),
  'identifiers.undo_passkey_options': async ({ changeWithPasskey }) => ({
    body: { undo_token: await changeWithPasskey() },
  }),
  'identifiers.verify': async ({ requestIdentifierCode }) => ({
    body: await requestIdentifierCode(),
  }),
  'factors.list': NOTHING,
  'factors.add_totp': () => ({ body: {} }),
  'factors.confirm_totp': ({ lastTotpCode }) => ({ body: { code: lastTotpCode() } }),
  'factors.update': () => ({ body: { name: randomName() } }),
  'users.list_factors': NOTHING,
  'delegations.list': NOTHING,
  'delegations.preview': () => ({ query: { scope: 'read:users' } }),
  'delegations.create': ({ robot }) => ({
    body: { agent_id: robot.agent.id, scopes: ['read:users'] },
  }),
  'invitations.create': () => ({ body: { identifier: newIdentifier() } }),
  'invitations.list': NOTHING,
  'invitations.list_own': NOTHING,
  'invitations.accept': NOTHING,
  'invitations.decline': NOTHING,
  'users.list': NOTHING,
  'users.export': NOTHING,
  'users.create': () => ({ body: { identifier: newIdentifier(), password: newPassword() } }),
  'users.import': () => ({ lines: [{ identifiers: [{ identifier: newIdentifier() }] }] }),
  'me.put_picture': () => ({ body: { image: newPicture() } }),
  'me.delete_picture': NOTHING,
  'users.put_picture': () => ({ body: { image: newPicture() } }),
  'users.delete_picture': NOTHING,
  'users.update': () => ({ body: { metadata: { seen: true } } }),
  'users.delete': NOTHING,
  'agents.delete': NOTHING,
  'users.disable': () => ({ body: { reason: 'their laptop was stolen' } }),
  'sessions.list': NOTHING,
  'sessions.delete_all': ({ idler }) => ({ query: { user_id: idler.user.id } }),
  'workspaces.list': NOTHING,
  'workspaces.list_own': NOTHING,
  'workspaces.leave': NOTHING,
  'workspaces.create': () => ({ body: { name: randomName() } }),
  'workspaces.update': () => ({ body: { name: randomName() } }),
  'workspaces.delete': NOTHING,
  'workspaces.list_members': NOTHING,
  'roles.list': NOTHING,
  'roles.create': () => ({ body: { name: randomName(), scopes: ['read:users'] } }),
  'roles.update': () => ({ body: { description: 'waters more' } }),
  'roles.delete': NOTHING,
  'agents.list': NOTHING,
  'agents.create': ({ workspaceId }) => ({ body: { name: 'robot', workspace_id: workspaceId } }),
  'agents.update': () => ({ body: { description: 'mows the lawn' } }),
  'apikeys.list': NOTHING,
  'apikeys.create': ({ robot }) => ({ body: { agent_id: robot.agent.id, name: 'one more' } }),
  'apikeys.rotate': () => ({ body: {} }),
  'apikeys.report': () => ({ body: { key: 'svc_sk_whatever' } }),
  'keys.list': NOTHING,
  // Otherwise a second rotation is rejected while the first is in progress.
  'keys.rotate': () => ({ query: { immediately: 'true' } }),
  'events.list': NOTHING,
  'events.stream': NOTHING,
  'providers.list': NOTHING,
  'providers.create': () => ({
    body: {
      type: 'oidc',
      name: 'One more',
      issuer: 'https://id.example.com',
      client_id: 'keywright',
    },
  }),
  'providers.update': () => ({ body: { name: randomName() } }),
  'clients.list': NOTHING,
  'clients.create': () => ({
    body: { name: 'Another app', kind: 'web', redirect_uris: ['https://app.example.com/callback'] },
  }),
  'clients.update': () => ({ body: { name: randomName() } }),
  'clients.get_branding': NOTHING,
  'clients.update_branding': () => ({ body: { settings: { headline: randomName() } } }),
  'clients.put_image': () => ({ body: { image: btoa(`<svg id="${randomName()}"/>`) } }),
  'clients.create_secret': NOTHING,
  'clients.test_login': () => ({ body: {} }),
  'clients.list_logout_deliveries': NOTHING,
  'clients.list_registration_tokens': NOTHING,
  'clients.create_registration_token': () => ({ body: { name: randomName() } }),
  'clients.list_streams': NOTHING,
  'clients.update_stream': () => ({ body: { status: 'paused' } }),
  'resources.list': NOTHING,
  'resources.create': () => ({
    body: { name: 'Files', uri: `https://${randomName()}.example.com/` },
  }),
  'resources.update': () => ({ body: { name: randomName() } }),
  'consents.list_own': NOTHING,
  'consents.list': NOTHING,
  'signals.create_stream': async (side) => {
    await side.newStream();
    return { body: { description: 'one more' } };
  },
  'signals.read_streams': NOTHING,
  'signals.update_stream': async (side) => ({
    body: { stream_id: await side.newStream(), description: 'changed' },
  }),
  'signals.replace_stream': async (side) => ({
    body: { stream_id: await side.newStream(), description: 'changed' },
  }),
  'signals.delete_stream': async (side) => ({ query: { stream_id: await side.newStream() } }),
  'signals.read_status': async (side) => ({ query: { stream_id: await side.newStream() } }),
  'signals.update_status': async (side) => ({
    body: { stream_id: await side.newStream(), status: 'paused' },
  }),
  'signals.verify_stream': async (side) => ({ body: { stream_id: await side.newStream() } }),
  'signals.poll': () => ({ body: { returnImmediately: true } }),
  'signals.create_stream_by_issuer': async (side) => {
    await side.newStream();
    return { body: { description: 'one more' } };
  },
  'signals.read_streams_by_issuer': NOTHING,
  'signals.update_stream_by_issuer': async (side) => ({
    body: { stream_id: await side.newStream(), description: 'changed' },
  }),
  'signals.replace_stream_by_issuer': async (side) => ({
    body: { stream_id: await side.newStream(), description: 'changed' },
  }),
  'signals.delete_stream_by_issuer': async (side) => ({
    query: { stream_id: await side.newStream() },
  }),
  'signals.read_status_by_issuer': async (side) => ({
    query: { stream_id: await side.newStream() },
  }),
  'signals.update_status_by_issuer': async (side) => ({
    body: { stream_id: await side.newStream(), status: 'paused' },
  }),
  'signals.verify_stream_by_issuer': async (side) => ({
    body: { stream_id: await side.newStream() },
  }),
  'signals.poll_by_issuer': () => ({ body: { returnImmediately: true } }),
  'webhooks.list': NOTHING,
  'webhooks.create': () => ({
    body: { url: 'https://hooks.example.com/', events: ['webhook.disabled'] },
  }),
  'webhooks.update': () => ({ body: { events: ['webhook.deleted'] } }),
  'webhooks.rotate': () => ({ body: {} }),
  'webhooks.list_deliveries': NOTHING,
  'webhooks.replay': async ({ tenant }) => ({ body: { after: await firstEvent(tenant) } }),
  // Each image differs, because uploading the same file again changes nothing.
  'branding.put_logo': () => ({ body: { image: btoa(`<svg id="${randomName()}"/>`) } }),
  'branding.put_text': () => ({ body: { text: 'Sign in' } }),
  'messaging.put_template': () => ({ body: { subject: 'A code', text: 'It is {{code}}.' } }),
  'messaging.preview': () => ({ body: { kind: 'login' } }),
  'messaging.test': () => ({ body: { to: `${randomName()}@example.org` } }),
  'messaging.list_messages': NOTHING,
  'messaging.list_suppressions': NOTHING,
  'messaging.feedback': FEEDBACK,
  'messaging.feedback_by_issuer': FEEDBACK,
  'audit.list': NOTHING,
  'audit.list_activity': NOTHING,
  'audit.get_names': ({ member }) => ({ query: { ids: member.user.id } }),
  'audit.list_own': NOTHING,
  'audit.list_checkpoints': NOTHING,
  'impersonations.begin': () => ({ body: { reason: 'of the matrix' } }),
  'impersonations.list': NOTHING,
  'installation.get': NOTHING,
  'tenants.list': NOTHING,
  'tenants.create': () => ({ body: { name: randomName() } }),
  'tenants.update': () => ({ body: { branding: { primary_color: '#123456' } } }),
};

type Prepare = (path: Readonly<Record<string, string>>, world: World) => Promise<unknown>;

/** Preconditions of a granted request, besides the records in its path. */
export const PREPARATIONS: Readonly<Record<string, Prepare>> = {
  'factors.create_recovery_codes': async (_path, { local }) => local.enrollTotp(),
  'impersonations.end': async (path, { keywright, system: { token } }) =>
    keywright.home.request('PUT', `/impersonations/${path['tenant_id']}`, {
      token,
      body: { reason: 'of the matrix' },
    }),
  'me.get_export': (_path, world) => exportData(world),
  'me.delete_picture': (_path, { local }) => storePicture(local.tenant, local.admin),
  'me.read_export': (_path, world) => exportData(world),
  'workspaces.leave': async ({ workspace_id }, { local }) => {
    const token = await local.tenant.adminToken();
    const path = `/workspaces/${workspace_id}/members/${local.admin.user.id}`;
    expectStatus(200, await local.tenant.request('PUT', path, { token }));
  },
  'workspaces.remove_member': async ({ workspace_id, user_id }, { local }) => {
    const token = await local.tenant.adminToken();
    const path = `/workspaces/${workspace_id}/members/${user_id}`;
    expectStatus(200, await local.tenant.request('PUT', path, { token }));
  },
};

/** Creates an export of the acting administrator's data. */
async function exportData(world: World): Promise<void> {
  const { local } = world;
  const token = await world.freshAdminToken();
  expectStatus(201, await local.tenant.request('POST', '/me/export', { token }));
  await until('the export', async () => {
    const { status } = expectStatus(
      200,
      await local.tenant.request('GET', '/me/export', { token }),
    );
    return status === 'ready' || undefined;
  });
}

export function credentialsOf(user: { readonly identifier: string; readonly password: string }) {
  return { identifier: user.identifier, secret: user.password };
}

export function clientOf({ agent, key }: TestAgent) {
  return { client_id: agent.id, client_secret: key };
}

/** An unused name, valid for a role, a slug and a tenant. */
export function randomName(): string {
  return `unknown-${randomBytes(6).toString('hex')}`;
}

/** The first event that a tenant's log has. */
/** Returns the request id of the newest login in the audit log. */
export async function lastRequest(tenant: Side['tenant']): Promise<string> {
  const path = '/audit?limit=1&action=auth.login';
  const list = await tenant.request<{ items: { request_id: string }[] }>('GET', path, {
    token: await tenant.adminToken(),
  });
  const [last] = expectStatus(200, list).items;
  if (!last) throw new Error(`${tenant.id} has no entry.`);
  return last.request_id;
}

export async function firstEvent(tenant: Side['tenant']): Promise<string> {
  const list = await tenant.request<{ items: { id: string }[] }>('GET', '/events?limit=1', {
    token: await tenant.adminToken(),
  });
  const [first] = expectStatus(200, list).items;
  if (!first) throw new Error(`${tenant.id} has no event.`);
  return first.id;
}
