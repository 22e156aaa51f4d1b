// The part of the walk over all routes that applications call themselves.

import {
  INTROSPECTION_ROUTES,
  SIGNED_INTROSPECTION,
} from '@keywright/contract/routes/introspection';
import type { ClientInformation } from '@keywright/contract/records/client-metadata';
import type { CreatedRegistrationToken } from '@keywright/contract/records/registration-token';
import { DEVICE_GRANT } from '@keywright/contract/records/client-grants';
import { DEVICE_AUTHORIZATION_ROUTES } from '@keywright/contract/routes/device';
import { PUSHED_REQUEST_ROUTES } from '@keywright/contract/routes/pushed-requests';
import { REVOCATION_ROUTES } from '@keywright/contract/routes/revocation';
import { USERINFO_ROUTES } from '@keywright/contract/routes/userinfo';
import { openApplication, registerClient } from '../harness/application.ts';
import { requestOf } from '../harness/code-login.ts';
import type { Walk } from './walk.ts';

export async function walkApplications(walk: Walk): Promise<void> {
  await walkUserinfo(walk);
  await walkPresentedTokens(walk);
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
    const { client_id, registration_access_token: own } = await walk<ClientInformation>(
      `oauth.register${at}`,
      { token, params: tenant, body: metadata },
    );
    const mine = { token: own ?? '', params: { ...tenant, client_id } };
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
    for (const one of USERINFO_ROUTES) await walk(one.id, { token, params });
  }
}

async function walkPresentedTokens({ walk, keywright }: Walk): Promise<void> {
  const { home } = keywright;
  const { agent, key } = await home.createAgent();
  const proof = { client_id: agent.id, client_secret: key };
  const params = { tenant_id: home.id };
  for (const one of INTROSPECTION_ROUTES) {
    await walk(one.id, { params, body: { token: key, ...proof } });
    const headers = { accept: SIGNED_INTROSPECTION };
    await walk(one.id, { params, headers, body: { token: key, ...proof } });
  }
  const clientId = await registerClient(home, { kind: 'spa' });
  for (const one of PUSHED_REQUEST_ROUTES) {
    await walk(one.id, { params, body: requestOf({ id: clientId }) });
  }
  const onDevices = await registerClient(home, { kind: 'native', grant_types: [DEVICE_GRANT] });
  for (const one of DEVICE_AUTHORIZATION_ROUTES) {
    await walk(one.id, { params, body: { client_id: onDevices } });
  }
  for (const one of REVOCATION_ROUTES) {
    const user = await home.createUser();
    const { token } = await openApplication(keywright, home, { user, clientId });
    await walk(one.id, { params, body: { token, client_id: clientId } });
  }
}
