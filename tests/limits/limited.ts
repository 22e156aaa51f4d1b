// Requests that are limited by their sender, each as one call that counts once.

import type { StartedFlow } from '@keywright/contract/records/login-flow';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import { newAgentId } from '@keywright/server/platform/crypto/ids';
import { newClient, proofOf, requestOf } from '../harness/code-login.ts';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { deviceClient } from '../harness/device.ts';
import { type Answer, expectStatus } from '../harness/http.ts';
import type { Keywright } from '../harness/keywright.ts';
import type { TestTenant } from '../harness/tenant.ts';

export type Headers = Readonly<Record<string, string | string[]>>;

/** Sends one request. @param index from 0, so that no two requests name the same record */
export type Send = (headers: Headers, index: number) => Promise<Answer<unknown>>;

export interface Limited {
  /** Requests that are admitted. */
  readonly limit: number;
  /** Tenant settings that lower the limit, so that few requests suffice. */
  readonly config?: Partial<TenantConfig>;
  readonly prepare: (tenant: TestTenant, keywright: Keywright) => Promise<Send> | Send;
}

const FEW = 30;
const MANY = 100_000;
const FORM = 'application/x-www-form-urlencoded';
const form = (fields: Readonly<Record<string, string>>) => ({
  rawBody: new URLSearchParams(fields).toString(),
  contentType: FORM,
});

/** By their limit. */
export const LIMITED: Readonly<Record<string, Limited>> = {
  'logins from an address': {
    limit: FEW,
    config: { login_attempts_address_limit: FEW },
    prepare: (tenant) => (headers) => {
      const body = { identifier: newIdentifier(), secret: newPassword() };
      return tenant.request('POST', '/auth/login', { headers, body });
    },
  },

  'logins with an identifier': {
    limit: FEW,
    config: { login_attempts_limit: FEW },
    prepare(tenant) {
      const identifier = newIdentifier();
      return (headers) => {
        const body = { identifier, secret: newPassword() };
        return tenant.request('POST', '/auth/login', { headers, body });
      };
    },
  },

  registrations: {
    limit: FEW,
    config: { registrations_address_limit: FEW },
    prepare: (tenant) => (headers) => {
      const body = { identifier: newIdentifier(), secret: newPassword(), register: true };
      return tenant.request('POST', '/auth/login', { headers, body });
    },
  },

  'login flows': {
    limit: 30,
    prepare: (tenant) => (headers) =>
      tenant.request('POST', '/auth/flows', { headers, body: { identifier: newIdentifier() } }),
  },

  messages: {
    limit: 20,
    prepare: (tenant, { clock }) => {
      return async (headers) => {
        // An address can start 30 flows a minute.
        clock.advance(3);
        const body = { identifier: newIdentifier() };
        const started = await tenant.request<StartedFlow>('POST', '/auth/flows', { body });
        const { flow, flow_token } = expectStatus(201, started);
        const options = { headers, body: { flow_token } };
        return tenant.request('POST', `/auth/flows/${flow.id}/message`, options);
      };
    },
  },

  'undone changes': {
    limit: 30,
    prepare: (tenant) => (headers) =>
      tenant.request('POST', '/auth/identifiers/undo', { headers, body: { undo_token: 'und_x' } }),
  },

  'rejected refreshes': {
    limit: 300,
    prepare: (tenant) => (headers) =>
      tenant.request('POST', '/auth/refresh', { headers, body: { refresh_token: 'x' } }),
  },

  'failures of a client': {
    limit: 20,
    prepare(tenant) {
      const client = { client_id: newAgentId(new Date()), client_secret: 'x' };
      const request = form({ grant_type: 'client_credentials', ...client });
      return (headers) => tenant.request('POST', '/auth/token', { headers, ...request });
    },
  },

  'pushed requests': {
    limit: 300,
    async prepare(tenant) {
      const client = await newClient(tenant, {
        kind: 'native',
        token_endpoint_auth_method: 'none',
      });
      const request = form(requestOf(client));
      return (headers) => tenant.request('POST', '/oauth/par', { headers, ...request });
    },
  },

  'logins on devices': {
    limit: 300,
    async prepare(tenant) {
      const request = form({ ...proofOf(await deviceClient(tenant)), scope: 'openid' });
      const path = `/t/${tenant.id}/oauth/device_authorization`;
      return (headers) => tenant.request('POST', path, { headers, ...request });
    },
  },

  'documents of applications': {
    limit: 60,
    config: { oauth_metadata_documents: 'listed', oauth_client_domains: ['apps.example.invalid'] },
    prepare(tenant) {
      const path = `/t/${tenant.id}/oauth/device_authorization`;
      return (headers, index) => {
        const request = form({ client_id: `https://apps.example.invalid/${index}` });
        return tenant.request('POST', path, { headers, ...request });
      };
    },
  },

  'registered applications': {
    limit: 10,
    config: { oauth_registration: 'open', oauth_max_registered_clients: 1000 },
    prepare: (tenant) => (headers) => {
      const body = { redirect_uris: ['https://app.example.com/callback'] };
      return tenant.request('POST', '/oauth/register', { headers, body });
    },
  },

  'codes of devices': {
    limit: 10,
    async prepare(tenant) {
      const path = `/t/${tenant.id}/oauth/device`;
      const host = 'id.example.com';
      const page = await tenant.request('GET', path, { host });
      const cookie = (page.headers['set-cookie'] ?? [])
        .map((line) => line.split(';')[0])
        .join('; ');
      const [, token = ''] = /name="form_token" value="([^"]+)"/.exec(page.text) ?? [];
      const request = form({ form_token: token, user_code: 'ZZZZ-ZZZZ', action: 'device' });
      const pageHeaders = { cookie, 'sec-fetch-site': 'same-origin' };
      return (headers) =>
        tenant.request('POST', path, { host, headers: { ...headers, ...pageHeaders }, ...request });
    },
  },

  'reports of leaked keys': {
    limit: 60,
    prepare: (_tenant, keywright) => (headers) =>
      keywright.request('POST', '/apikeys/report', { headers, body: { key: 'svc_sk_x' } }),
  },
};

/** Creates a tenant where only the limit of these requests is low. */
export function tenantOf(keywright: Keywright, slug: string, { config }: Limited) {
  const high = { login_attempts_limit: MANY, login_attempts_address_limit: MANY };
  return keywright.tenant(slug, { config: { ...high, ...config } });
}
