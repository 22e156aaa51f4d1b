// The audit entries of each route that changes something, and requests that carry secrets.

import type { AuditAction } from '@keywright/contract/audit';
import type { Route } from '@keywright/contract/route';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import type { AnyBody } from '../harness/http.ts';
import type { Side, World } from '../isolation/world.ts';

/** Routes other than GET whose changes are not audited. */
export const TELL_NOTHING: Readonly<Record<string, string>> = {
  'userinfo.post': 'it asks',
  'userinfo.post_by_issuer': 'it asks',
  'oauth.introspect': 'it asks',
  'oauth.introspect_by_issuer': 'it asks',
  'auth.refresh': 'the login is told of, and what ends the session',
  'auth.verify_token': 'it asks',
  'messaging.preview': 'it asks',
  'flows.begin': 'it opens nothing',
  'flows.cancel': 'it opens nothing',
  'flows.tokens': 'it opens nothing',
  'me.step_up': 'it opens nothing',
  'identifiers.send': 'the message is told of when it was sent',
  'flows.message': 'the message is told of when it was sent',
  'flows.enrol_totp': 'it stores nothing',
  'flows.enrol_passkey_options': 'it stores nothing',
  'flows.passkey_options': 'it opens nothing',
  'flows.oauth': 'it opens nothing',
  'identities.begin': 'it links nothing',
  'providers.test': 'it links nothing',
  'providers.callback_form': 'the browser is sent on to the same address by GET',
  'oauth.authorize_form': 'the browser is sent on to the same address by GET',
  'oauth.authorize_form_by_issuer': 'the browser is sent on to the same address by GET',
  'oauth.logout_form': 'the browser is sent on to the same address by GET',
  'oauth.logout_form_by_issuer': 'the browser is sent on to the same address by GET',
  'oauth.logout_confirm': 'the logout is told of, as its own tests show',
  'oauth.logout_confirm_by_issuer': 'the logout is told of, as its own tests show',
  'oauth.submit': 'the step is told of that the form is for',
  'oauth.submit_by_issuer': 'the step is told of that the form is for',
  'factors.passkey_options': 'it stores nothing',
  'access.evaluation': 'it asks',
  'access.evaluation_by_issuer': 'it asks',
  'access.evaluations': 'it asks',
  'access.evaluations_by_issuer': 'it asks',
  'access.explain': 'it asks',
};

/** By route id. A missing one fails with a message. */
export const RECORDED: Readonly<Record<string, AuditAction>> = {
  'auth.login': 'auth.login',
  'messaging.put_template': 'messaging.template_changed',
  'messaging.delete_template': 'messaging.template_changed',
  'messaging.test': 'messaging.tested',
  'messaging.feedback': 'messaging.suppressed',
  'messaging.feedback_by_issuer': 'messaging.suppressed',
  'messaging.delete_suppression': 'messaging.suppression_removed',
  'flows.password': 'auth.login',
  'flows.code': 'auth.login',
  'flows.new_password': 'auth.login',
  'flows.link': 'auth.login',
  'flows.totp': 'auth.login',
  'flows.recovery_code': 'auth.login',
  'flows.confirm_totp': 'auth.login',
  'flows.passkey': 'auth.login',
  'flows.finish_oauth': 'auth.login',
  'flows.enrol_passkey': 'auth.login',
  'auth.logout': 'auth.logout',
  'auth.impersonate': 'auth.impersonated',
  'auth.token': 'auth.token_issued',
  'auth.token_by_issuer': 'auth.token_issued',
  'me.update': 'user.updated',
  'users.create': 'user.created',
  'users.import': 'user.created',
  'users.update': 'user.updated',
  'users.delete': 'user.deleted',
  'users.disable': 'user.disabled',
  'sessions.delete': 'session.revoked',
  'sessions.delete_all': 'session.revoked',
  'roles.create': 'role.created',
  'roles.update': 'role.updated',
  'roles.delete': 'role.deleted',
  'workspaces.create': 'workspace.created',
  'workspaces.update': 'workspace.updated',
  'workspaces.delete': 'workspace.deleted',
  'workspaces.add_member': 'workspace.member_added',
  'workspaces.remove_member': 'workspace.member_removed',
  'tenants.create': 'tenant.created',
  'tenants.update': 'tenant.updated',
  // The tenant's log is deleted with it: what remains is in the default tenant's log.
  'tenants.delete': 'system.work',
  'keys.rotate': 'key.rotated',
  'keys.retire': 'key.retired',
  'agents.create': 'agent.created',
  'agents.update': 'agent.updated',
  'agents.delete': 'agent.deleted',
  'apikeys.create': 'apikey.created',
  'apikeys.rotate': 'apikey.rotated',
  'apikeys.delete': 'apikey.revoked',
  'apikeys.report': 'apikey.reported',
  'identifiers.verify': 'identifier.added',
  'identifiers.delete': 'identifier.removed',
  'identifiers.undo': 'identifier.restored',
  'users.recover': 'user.recovery_sent',
  'invitations.create': 'invitation.created',
  'invitations.resend': 'invitation.resent',
  'invitations.delete': 'invitation.revoked',
  'factors.add_totp': 'factor.begun',
  'factors.confirm_totp': 'factor.added',
  'factors.add_passkey': 'factor.added',
  'factors.update': 'factor.updated',
  'factors.delete': 'factor.removed',
  'factors.create_recovery_codes': 'factor.updated',
  'users.delete_factor': 'factor.removed',
  'identities.finish': 'identity.linked',
  'identities.delete': 'identity.unlinked',
  'delegations.create': 'delegation.created',
  'delegations.delete': 'delegation.revoked',
  'providers.create': 'identity_provider.created',
  'providers.update': 'identity_provider.updated',
  'providers.delete': 'identity_provider.deleted',
  'providers.finish_test': 'identity_provider.tested',
  'providers.add_domain': 'identity_provider.domain_added',
  'providers.verify_domain': 'identity_provider.domain_verified',
  'providers.remove_domain': 'identity_provider.domain_removed',
  'clients.create': 'client.created',
  'clients.update': 'client.updated',
  'clients.delete': 'client.deleted',
  'clients.create_secret': 'client.secret_created',
  'clients.delete_secret': 'client.secret_deleted',
  'consents.delete_own': 'consent.revoked',
  'consents.delete': 'consent.revoked',
  'oauth.revoke': 'session.revoked',
  'oauth.revoke_by_issuer': 'session.revoked',
  'webhooks.create': 'webhook.created',
  'webhooks.update': 'webhook.updated',
  'webhooks.delete': 'webhook.deleted',
  'webhooks.rotate': 'webhook.rotated',
  'webhooks.test': 'webhook.replayed',
  'webhooks.retry_delivery': 'webhook.replayed',
  'webhooks.replay': 'webhook.replayed',
};

export function changesSomething(route: Route): boolean {
  return route.method !== 'GET' && !(route.id in TELL_NOTHING);
}

type MakeBody = (side: Side, world: World) => Promise<AnyBody> | AnyBody;

const askForToken: MakeBody = async ({ tenant }) => {
  const { agent, key } = await tenant.createAgent({ scopes: ['read:users'] });
  return { grant_type: 'client_credentials', client_id: agent.id, client_secret: key };
};

/** Bodies that replace the matrix's: they contain secrets that no log may have, or name existing records. */
export const TELLING_BODIES: Readonly<Record<string, MakeBody>> = {
  'apikeys.report': async ({ tenant }) => ({ key: (await tenant.createAgent()).key }),
  'auth.token': askForToken,
  'auth.token_by_issuer': askForToken,
  'me.update': ({ admin }) => ({ current_password: admin.password, password: admin.password }),
  'users.update': () => ({ password: newPassword() }),
  'providers.create': () => ({
    type: 'oidc',
    name: 'Corporate',
    issuer: 'https://id.example.com',
    client_id: 'keywright',
    client_secret: newPassword(),
  }),
  'webhooks.create': () => ({
    url: 'https://hooks.example.com/',
    events: ['webhook.disabled'],
    secret: `whsec_${Buffer.from(newPassword()).toString('base64')}`,
  }),
  'tenants.update': () => ({
    messaging: {
      email: { smtp_host: 'mail.example.com', smtp_password: newPassword() },
      sms: { auth_token: newPassword() },
    },
  }),
  'users.create': () => ({ identifier: newIdentifier(), password: newPassword() }),
};
