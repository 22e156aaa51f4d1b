// The part of the walk over all routes that logs in step by step.

import assert from 'node:assert/strict';
import type { CreatedTotp } from '@keywright/contract/records/factor';
import type { StartedFlow } from '@keywright/contract/records/login-flow';
import type {
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from '@keywright/contract/records/passkey';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { consent } from '../harness/consent.ts';
import { expectStatus } from '../harness/http.ts';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { mailedTo, undoTokenTo } from '../harness/mailed.ts';
import type { Keywright } from '../harness/keywright.ts';
import { startSecondStep } from '../harness/second-step.ts';
import { claimsOf, sessionOf } from '../harness/token.ts';
import { TestPasskey } from '../harness/passkey.ts';
import {
  addProvider,
  comeBack,
  goToProvider,
  handoffOf,
  RETURN_URL,
  startFakeProvider,
} from '../harness/upstream.ts';
import { totpOf } from '../harness/totp.ts';
import { addAddress, recordPasskey } from '../harness/undo.ts';
import type { Walk } from './walk.ts';
import { walkAccount } from './walk-account.ts';
import { walkTestLogin } from './walk-test-login.ts';
import { walkApplications } from './walk-applications.ts';
import { walkAuthorization } from './walk-pages.ts';

interface Person {
  readonly id: string;
  readonly identifier: string;
  readonly secret: string;
  readonly tokens: TokenAnswer;
}

/** The routes of flows, of factors, of identity providers and of clients. */
export async function walkLogins(walk: Walk, person: Person): Promise<void> {
  await walkFlow(walk, person);
  await walkMessages(walk);
  await walkRecovery(walk);
  await walkInvitations(walk);
  await walkAccount(walk);
  await walkEnrollment(walk, person);
  await walkPasskeys(walk);
  await walkIdentifiers(walk);
  await walkFactors(walk, person);
  await walkProviders(walk);
  await walkClients(walk);
  await walkApplications(walk);
}

async function walkProviders({ walk, token, keywright }: Walk): Promise<void> {
  const { home } = keywright;
  const provider = await startFakeProvider();
  const change = { token, body: { config: { return_urls: [RETURN_URL] } } };
  expectStatus(200, await home.request('PATCH', `/tenants/${home.id}`, change));
  const record = await addProvider(home, provider);
  const { flow, flow_token } = await walk<StartedFlow>('flows.begin', { body: { register: true } });
  const params = { flow_id: flow.id };
  const oauthStart = { flow_token, provider: record.id, return_url: RETURN_URL };
  const { authorize_url: at } = await walk<{ authorize_url: string }>('flows.oauth', {
    params,
    body: oauthStart,
  });
  const person = { sub: 'walker', email: newIdentifier() };
  const back = provider.authorize(at, person);
  const address = { tenant_id: home.id, provider_id: record.id };
  const contentType = 'application/x-www-form-urlencoded';
  const form = { rawBody: back.search.slice(1), contentType };
  await walk('providers.callback_form', { params: address, ...form });
  await walk('providers.callback', { params: address, query: back.search });
  const again = provider.authorize(
    await goToProvider(home, { ...flow, flow_token }, record),
    person,
  );
  const handoff = handoffOf(await comeBack(home, again));
  await walk('flows.finish_oauth', { params, body: { flow_token, handoff } });
  const caller = { token: (await keywright.createUser()).token };
  const linking = { provider: record.id, return_url: RETURN_URL };
  const started = await walk<{ authorize_url: string }>('identities.begin', {
    ...caller,
    body: linking,
  });
  const linked = await comeBack(home, provider.authorize(started.authorize_url, { sub: 'linker' }));
  await walk('identities.finish', { ...caller, body: { handoff: handoffOf(linked) } });
  await walk('identities.list', caller);
  await walk('me.preview_deletion', caller);
  const leaving = await keywright.createUser();
  const allowing = { token, body: { config: { allow_account_deletion: true } } };
  expectStatus(200, await home.request('PATCH', `/tenants/${home.id}`, allowing));
  const { token: theirs, identifier } = leaving;
  await walk('me.delete', { token: theirs, body: { identifier } });
  await walk('identities.delete', { ...caller, params: { provider_id: record.id } });
  const testing = { token, params: { provider_id: record.id } };
  const test = await walk<{ authorize_url: string }>('providers.test', {
    ...testing,
    body: { return_url: RETURN_URL },
  });
  const tested = await comeBack(home, provider.authorize(test.authorize_url, { sub: 'tester' }));
  await walk('providers.finish_test', { ...testing, body: { handoff: handoffOf(tested) } });
  await provider.close();
  await walkProviderRecords(walk, token);
  await walkDomains(walk, token, keywright);
}

async function walkDomains(
  walk: Walk['walk'],
  token: string,
  { database }: Keywright,
): Promise<void> {
  const body = { type: 'oidc', name: 'Door', issuer: 'https://id.example.com', client_id: 'us' };
  const { id } = await walk<{ id: string }>('providers.create', { token, body });
  const provider = { provider_id: id };
  const [domain, params] = ['corp.example.com', { ...provider, domain: 'corp.example.com' }];
  await walk('providers.add_domain', { token, params: provider, body: { domain } });
  await walk('providers.list_domains', { token, params: provider });
  await database.query('UPDATE provider_domains SET verified_at = now() WHERE provider_id = $1', [
    id,
  ]);
  await walk('providers.verify_domain', { token, params });
  const dependents = await walk('providers.dependents', { token, params: provider });
  assert.deepEqual([dependents['identities'], dependents['domains']], [0, [domain]]);
  await walk('providers.remove_domain', { token, params });
  await walk('providers.delete', { token, params: provider });
}

async function walkProviderRecords(walk: Walk['walk'], token: string): Promise<void> {
  const body = {
    type: 'oidc',
    name: 'Corporate',
    issuer: 'https://id.example.com',
    client_id: 'keywright',
    client_secret: newPassword(),
  };
  const { id } = await walk<{ id: string }>('providers.prepare', { token });
  await walk('providers.create', { token, body: { ...body, id } });
  const params = { provider_id: id };
  await walk('providers.list', { token, query: '?limit=1' });
  await walk('providers.get', { token, params });
  await walk('providers.update', { token, params, body: { name: 'Renamed' } });
  await walk('providers.delete', { token, params });
}

async function walkConsents(
  { walk, keywright, token }: Pick<Walk, 'walk' | 'keywright' | 'token'>,
  clientId: string,
): Promise<void> {
  const allow = async () => {
    await keywright.database.query('DELETE FROM consents WHERE client_id = $1', [clientId]);
    return consent(keywright, keywright.home.id, { userId: claimsOf(token).sub, clientId });
  };
  const consentId = await allow();
  await walk('consents.list_own', { token });
  await walk('consents.list', { token, query: `?client_id=${clientId}` });
  await walk('consents.delete_own', { token, params: { consent_id: consentId } });
  await walk('consents.delete', { token, params: { consent_id: await allow() } });
}

async function walkClients({ walk, keywright, token, sink }: Walk): Promise<void> {
  const body = {
    name: 'Invoices',
    kind: 'web',
    redirect_uris: ['https://app.example.com/callback'],
  };
  const { id } = await walk<{ id: string }>('clients.create', { token, body });
  const params = { client_id: id };
  await walk('clients.list', { token, query: '?limit=1' });
  await walk('clients.get', { token, params });
  await walk('clients.list_logout_deliveries', { token, params, query: '?status=failed' });
  await walkTestLogin({ walk, keywright, token }, params);
  await walk('clients.get_branding', { token, params });
  await walk('clients.update_branding', {
    token,
    params,
    body: { settings: { layout: 'split-start' } },
  });
  const icon = { token, params: { ...params, kind: 'icon' } };
  await walk('clients.put_image', { ...icon, body: { image: 'PHN2Zy8+' } });
  await walk('clients.delete_image', icon);
  await walk('clients.update', { token, params, body: { is_active: false } });
  const secret = await walk<{ id: string }>('clients.create_secret', { token, params });
  await walk('clients.delete_secret', { token, params: { ...params, secret_id: secret.id } });
  await walkAuthorization({ walk, keywright, token, sink });
  await walkResources({ walk, keywright, token });
  await walkConsents({ walk, keywright, token }, id);
  await walk('clients.delete', { token, params });
}

async function walkResources({ walk, token }: Omit<Walk, 'sink'>): Promise<void> {
  const scopes = [{ name: 'files:share', description: 'Share your files' }];
  const body = { name: 'Files', uri: 'https://files.example.com/', scopes };
  const { id } = await walk<{ id: string }>('resources.create', { token, body });
  const params = { resource_id: id };
  await walk('resources.list', { token, query: '?limit=1' });
  await walk('resources.get', { token, params });
  await walk('resources.update', { token, params, body: { token_ttl: 300 } });
  await walk('resources.delete', { token, params });
}

async function walkFlow({ walk }: Walk, { identifier, secret }: Person): Promise<void> {
  const startFlow = async () => {
    const { flow, flow_token } = await walk<StartedFlow>('flows.begin', { body: { identifier } });
    return { params: { flow_id: flow.id }, flow_token };
  };
  const { params, flow_token } = await startFlow();
  await walk('flows.get', { params, headers: { 'x-flow-token': flow_token } });
  await walk('flows.password', { params, body: { flow_token, secret } });
  await walk('flows.tokens', { params, body: { flow_token } });
  const other = await startFlow();
  await walk('flows.cancel', { params: other.params, body: { flow_token: other.flow_token } });
}

/** With an unused address, once by code and once by link. */
async function walkMessages({ walk, keywright, sink, token }: Walk): Promise<void> {
  const page = { config: { magic_link_url: 'https://app.example.com/login' } };
  const path = `/tenants/${keywright.home.id}`;
  expectStatus(200, await keywright.home.request('PATCH', path, { token, body: page }));
  for (const step of ['flows.code', 'flows.link']) {
    const identifier = newIdentifier();
    const body = { identifier, register: true };
    const { flow, flow_token } = await walk<StartedFlow>('flows.begin', { body });
    const params = { flow_id: flow.id };
    await walk('flows.message', { params, body: { flow_token } });
    const { code, linkToken } = await mailedTo(sink, identifier);
    const secret = step === 'flows.code' ? { code } : { link_token: linkToken };
    await walk(step, { params, body: { flow_token, ...secret } });
  }
}

async function walkRecovery({ walk, keywright, sink, token }: Walk): Promise<void> {
  const { identifier } = await keywright.createUser();
  const other = await keywright.createUser();
  const target = { params: { user_id: other.user.id }, token };
  const identifiers = [{ type: 'email', identifier: other.identifier, verified: true }];
  await walk('users.update', { ...target, body: { identifiers } });
  await walk('users.recover', target);
  for (const id of ['users.get_locks', 'users.unlock']) await walk(id, target);
  await walk('users.get_protection', { token });
  const body = { identifier, purpose: 'recovery' };
  const { flow, flow_token } = await walk<StartedFlow>('flows.begin', { body });
  const params = { flow_id: flow.id };
  await walk('flows.message', { params, body: { flow_token } });
  const { code } = await mailedTo(sink, identifier);
  await walk('flows.code', { params, body: { flow_token, code } });
  await walk('flows.new_password', { params, body: { flow_token, secret: newPassword() } });
}

async function walkInvitations({ walk, keywright, token }: Walk): Promise<void> {
  const body = { identifier: newIdentifier() };
  const { id } = await walk<{ id: string }>('invitations.create', { token, body });
  await walk('invitations.list', { token });
  const params = { invitation_id: id };
  await walk('invitations.get', { token, params });
  const forget = 'DELETE FROM login_attempts WHERE tenant_id = $1';
  await keywright.database.query(forget, [keywright.home.id]);
  await walk('invitations.resend', { token, params });
  await walk('invitations.delete', { token, params });
}

/** A flow that requires a second factor, which its user does not have yet. */
async function walkEnrollment(
  { walk, keywright }: Walk,
  { identifier, secret }: Person,
): Promise<void> {
  const { flow, flow_token } = await walk<StartedFlow>('flows.begin', {
    body: { identifier, acr: 'aal2' },
  });
  const params = { flow_id: flow.id };
  await walk('flows.password', { params, body: { flow_token, secret } });
  const { secret: key } = await walk<CreatedTotp>('flows.enroll_totp', {
    params,
    body: { flow_token },
  });
  const code = totpOf(key, new Date());
  await walk('flows.confirm_totp', { params, body: { flow_token, code } });
  const forget = 'DELETE FROM user_factors WHERE tenant_id = $1';
  await keywright.database.query(forget, [keywright.home.id]);
  const reset = 'UPDATE users SET has_second_factor = false WHERE tenant_id = $1';
  await keywright.database.query(reset, [keywright.home.id]);
}

/** A passkey that is added in a flow, another one, and a login with it. */
async function walkPasskeys({ walk, keywright }: Walk): Promise<void> {
  await walk('passkeys.related_origins');
  const { identifier, password: secret } = await keywright.createUser();
  const startedFlow = await walk<StartedFlow>('flows.begin', { body: { identifier, acr: 'phr' } });
  const { flow_token } = startedFlow;
  const params = { flow_id: startedFlow.flow.id };
  await walk('flows.password', { params, body: { flow_token, secret } });
  const enrollment = { params, body: { flow_token } };
  const first = await walk<Creation>('flows.enroll_passkey_options', enrollment);
  const added = await walk<{ access_token: string }>('flows.enroll_passkey', {
    params,
    body: { flow_token, credential: new TestPasskey().create(first.options) },
  });
  const token = added.access_token;
  const { options } = await walk<Creation>('factors.passkey_options', { token });
  const passkey = new TestPasskey();
  const body = { credential: passkey.create(options) };
  await walk('factors.add_passkey', { token, body });
  const login = await walk<StartedFlow>('flows.begin', { body: {} });
  const of = { params: { flow_id: login.flow.id } };
  const flowFields = { flow_token: login.flow_token };
  const request = await walk<{ options: PasskeyRequestOptions }>('flows.passkey_options', {
    ...of,
    body: flowFields,
  });
  const credential = passkey.get(request.options);
  await walk('flows.passkey', { ...of, body: { ...flowFields, credential } });
}

interface Creation {
  readonly options: PasskeyCreationOptions;
}

async function walkIdentifiers(all: Walk): Promise<void> {
  const { walk, keywright, sink, token: admin } = all;
  const { token, ...user } = await keywright.createUser();
  const identifier = newIdentifier();
  const identifiers = [{ type: 'email', identifier: user.identifier, verified: true }];
  const target = { params: { user_id: user.user.id }, token: admin };
  await walk('users.update', { ...target, body: { identifiers } });
  await walk('identifiers.send', { token, body: { identifier } });
  const { code } = await mailedTo(sink, identifier);
  await walk('identifiers.verify', { token, body: { identifier, code } });
  await walk('identifiers.list', { token });
  await walk('identifiers.make_primary', { token, params: { identifier } });
  await walk('identifiers.delete', { token, params: { identifier: user.identifier } });
  const undo_token = await undoTokenTo(sink, user.identifier);
  await walk('identifiers.undo', { body: { undo_token, password: user.password } });
  await walkUndoPasskey(all);
}

async function walkUndoPasskey({ walk, keywright, sink }: Walk): Promise<void> {
  const { home } = keywright;
  const change = await addAddress(sink, home, await home.createUser());
  await recordPasskey(keywright, home, change);
  await walk('identifiers.undo_passkey_options', { body: { undo_token: change.undoToken } });
}

async function walkFactors(all: Walk, person: Person): Promise<void> {
  const { walk, token } = all;
  const stepUpToken = await stepUp(all, person.tokens);
  const { id, secret } = await walk<CreatedTotp>('factors.add_totp', {
    token: stepUpToken,
    body: {},
  });
  const params = { factor_id: id };
  const body = { code: totpOf(secret, new Date()) };
  const confirmed = await walk<{ recovery_codes: string[] }>('factors.confirm_totp', {
    token: stepUpToken,
    params,
    body,
  });
  const [code = ''] = confirmed.recovery_codes;
  await walkSecondSteps(all, person, secret, code);
  await walk('factors.list', { token: stepUpToken });
  await walk('me.step_up', { token: stepUpToken, body: {} });
  await walk('factors.get', { token: stepUpToken, params });
  await walk('factors.update', { token: stepUpToken, params, body: { name: 'Phone' } });
  await walk('factors.create_recovery_codes', { token: stepUpToken });
  await walk('users.list_factors', { token, params: { user_id: person.id } });
  await walk('users.delete_factor', { token, params: { ...params, user_id: person.id } });
  const another = await walk<CreatedTotp>('factors.add_totp', { token: stepUpToken, body: {} });
  await walk('factors.delete', { token: stepUpToken, params: { factor_id: another.id } });
}

/** Two logins with a second factor: the code of an authenticator of the next time step, and a recovery code. */
async function walkSecondSteps(
  { walk, keywright }: Walk,
  { identifier, secret: password }: Person,
  key: string,
  recoveryCode: string,
): Promise<void> {
  const next = totpOf(key, new Date(Date.now() + 30_000));
  for (const [route, code] of [
    ['flows.totp', next],
    ['flows.recovery_code', recoveryCode],
  ] as const) {
    const { id, flow_token } = await startSecondStep(keywright.home, { identifier, password });
    await walk(route, { params: { flow_id: id }, body: { flow_token, code } });
  }
}

/** A token of the same session, as after a second factor. */
async function stepUp(
  { walk, keywright }: Walk,
  { access_token: token, refresh_token }: TokenAnswer,
): Promise<string> {
  const of = [sessionOf(token)];
  await keywright.database.query("UPDATE sessions SET acr = 'aal2' WHERE id = $1", of);
  const answer = await walk<TokenAnswer>('auth.refresh', { body: { refresh_token } });
  return answer.access_token;
}
