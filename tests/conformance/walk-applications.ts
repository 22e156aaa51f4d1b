// The part of the walk over all routes that applications call themselves.

import {
  INTROSPECTION_ROUTES,
  SIGNED_INTROSPECTION,
} from '@keywright/contract/routes/introspection';
import type { ClientInformation } from '@keywright/contract/records/client-metadata';
import type { CreatedRegistrationToken } from '@keywright/contract/records/registration-token';
import { DEVICE_GRANT } from '@keywright/contract/records/client-grants';
import { CHALLENGE_ROUTES } from '@keywright/contract/routes/authorize-challenge';
import { DEVICE_AUTHORIZATION_ROUTES } from '@keywright/contract/routes/device';
import { PUSHED_REQUEST_ROUTES } from '@keywright/contract/routes/pushed-requests';
import { REVOCATION_ROUTES } from '@keywright/contract/routes/revocation';
import { POLL_ROUTES } from '@keywright/contract/routes/signal-polling';
import * as signals from '@keywright/contract/routes/signals';
import { TRANSMITTER_ROUTES } from '@keywright/contract/routes/transmitter';
import { USERINFO_ROUTES } from '@keywright/contract/routes/userinfo';
import { openApplication, registerClient } from '../harness/application.ts';
import { requestOf } from '../harness/code-login.ts';
import { inAppRequest } from '../harness/in-app.ts';
import { SignalClient } from '../harness/signals.ts';
import type { Walk } from './walk.ts';

export async function walkApplications(walk: Walk): Promise<void> {
  await walkUserinfo(walk);
  await walkPresentedTokens(walk);
  await walkSignals(walk);
  await walkRegistrations(walk);
}

async function walkRegistrations({ walk, keywright }: Walk): Promise<void> {
  const token = await keywright.adminToken();
  const { id } = await walk<CreatedRegistrationToken>('clients.create_registration_token', {
    token,
    body: { name: 'Partners' },
  });
  await walk('clients.list_registration_tokens', { token });
  await walk('clients.delete_registration_token', { token, params: { token_id: id } });
  const metadata = { redirect_uris: ['https://app.example.com/callback'] };
  for (const at of ['', '_by_issuer']) {
    const tenant = { tenant_id: keywright.home.id };
    const { client_id, registration_access_token: registrationToken } =
      await walk<ClientInformation>(`oauth.register${at}`, {
        token,
        params: tenant,
        body: metadata,
      });
    const mine = { token: registrationToken ?? '', params: { ...tenant, client_id } };
    await walk(`oauth.read_registration${at}`, mine);
    await walk(`oauth.change_registration${at}`, { ...mine, body: { ...metadata, client_id } });
    await walk(`oauth.delete_registration${at}`, mine);
  }
}

async function walkUserinfo({ walk, keywright }: Walk): Promise<void> {
  const { home } = keywright;
  const params = { tenant_id: home.id };
  for (const algorithm of [null, 'ES256']) {
    const clientId = await registerClient(home, { userinfo_signed_response_alg: algorithm });
    const user = await home.createUser();
    const scopes = ['openid', 'profile', 'email'];
    const { token } = await openApplication(keywright, home, { user, clientId, scopes });
    for (const route of USERINFO_ROUTES) await walk(route.id, { token, params });
  }
}

async function walkPresentedTokens({ walk, keywright }: Walk): Promise<void> {
  const { home } = keywright;
  const { agent, key } = await home.createAgent();
  const proof = { client_id: agent.id, client_secret: key };
  const params = { tenant_id: home.id };
  for (const route of INTROSPECTION_ROUTES) {
    await walk(route.id, { params, body: { token: key, ...proof } });
    const headers = { accept: SIGNED_INTROSPECTION };
    await walk(route.id, { params, headers, body: { token: key, ...proof } });
  }
  const clientId = await registerClient(home, { kind: 'spa' });
  for (const route of PUSHED_REQUEST_ROUTES) {
    await walk(route.id, { params, body: requestOf({ id: clientId }) });
  }
  for (const route of CHALLENGE_ROUTES)
    await walk(route.id, { params, body: await inAppRequest(home) });
  const onDevices = await registerClient(home, { kind: 'native', grant_types: [DEVICE_GRANT] });
  for (const route of DEVICE_AUTHORIZATION_ROUTES) {
    await walk(route.id, { params, body: { client_id: onDevices } });
  }
  for (const route of REVOCATION_ROUTES) {
    const user = await home.createUser();
    const { token } = await openApplication(keywright, home, { user, clientId });
    await walk(route.id, { params, body: { token, client_id: clientId } });
  }
}

async function walkSignals({ walk, keywright, token }: Walk): Promise<void> {
  const { home } = keywright;
  const params = { tenant_id: home.id };
  for (const route of TRANSMITTER_ROUTES) await walk(route.id, { params });
  const client = await SignalClient.register(home);
  const options = { params, token: await client.token() };
  for (const index of [0, 1] as const) {
    const create = signals.CREATE_STREAM_ROUTES[index];
    const created = await walk<{ stream_id: string }>(create.id, { ...options, body: {} });
    const { stream_id } = created;
    const query = `?stream_id=${stream_id}`;
    const read = signals.READ_STREAM_ROUTES[index];
    await walk(read.id, options);
    await walk(read.id, { ...options, query });
    const body = { stream_id, description: 'Web shop' };
    await walk(signals.UPDATE_STREAM_ROUTES[index].id, { ...options, body });
    await walk(signals.REPLACE_STREAM_ROUTES[index].id, { ...options, body });
    await walk(signals.READ_STATUS_ROUTES[index].id, { ...options, query });
    const status = { stream_id, status: 'enabled', reason: 'Done' };
    await walk(signals.UPDATE_STATUS_ROUTES[index].id, { ...options, body: status });
    await walk(signals.VERIFY_STREAM_ROUTES[index].id, { ...options, body: { stream_id } });
    await walk(POLL_ROUTES[index].id, {
      ...options,
      params: { ...params, stream_id },
      body: { returnImmediately: true },
    });
    await walk(signals.DELETE_STREAM_ROUTES[index].id, { ...options, query });
  }
  const { stream_id } = await client.stream();
  const streamRequest = { token, params: { client_id: client.client.id, stream_id } };
  await walk('clients.list_streams', streamRequest);
  await walk('clients.get_stream', streamRequest);
  await walk('clients.update_stream', {
    ...streamRequest,
    body: { status: 'paused', reason: 'A test' },
  });
  await walk('clients.delete_stream', streamRequest);
}
