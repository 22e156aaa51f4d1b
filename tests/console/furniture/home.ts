// What needs attention, and the mail server and the domains of the tenant.

import { newIdentifier, newPassword } from '../../harness/credentials.ts';
import { expectStatus } from '../../harness/http.ts';
import type { TestTenant } from '../../harness/tenant.ts';

const PAYLOAD = `"'><img src=x onerror="globalThis.hacked=1">`;

/** @returns paths below the tenant, by the name of the screen */
export async function furnishHome(tenant: TestTenant): Promise<Readonly<Record<string, string>>> {
  const token = await tenant.adminToken();
  // An administrator who never logs in, which the overview reports.
  const administrator = { identifier: newIdentifier(), password: newPassword(), roles: ['admin'] };
  expectStatus(201, await tenant.request('POST', '/users', { token, body: administrator }));
  const body = {
    // Without a server it is not used.
    messaging: {
      email: { from_name: `${PAYLOAD} ${'Donaudampfschifffahrt'.repeat(4)}` },
      sms: { account_sid: PAYLOAD },
    },
    config: { session_timeout: 600, allowed_origins: [`https://${'origin-'.repeat(8)}x.example`] },
  };
  expectStatus(200, await tenant.request('PATCH', `/tenants/${tenant.id}`, { token, body }));
  return {
    'users who never logged in': '/users?has_logged_in=false&role=admin',
    'settings of sessions': '/settings/tokens',
    'sign-in methods': '/methods',
    passwords: '/methods?open=password',
    'second steps': '/methods?open=mfa',
    limits: '/settings/limits',
    'the mail server': '/messages?tab=server',
    'the SMS provider': '/messages?tab=sms',
    domains: '/settings/domains',
  };
}
