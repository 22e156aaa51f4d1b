import { newPassword } from '../harness/credentials.ts';
import type { Keywright } from '../harness/keywright.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { until } from '../harness/until.ts';

const MANY_ATTEMPTS = { login_attempts_limit: 10_000 };
export const UNKNOWN = 'user-0000000000000000@example.com';

export interface RefusedLogin {
  readonly tenant: TestTenant;
  readonly identifier: string;
  readonly secret: string;
}

/** Rejected logins that must be indistinguishable, by their cause. */
export async function refusedLogins(
  keywright: Keywright,
): Promise<Readonly<Record<string, RefusedLogin>>> {
  const tenant = await keywright.tenant('guessed', { config: MANY_ATTEMPTS });
  const active = await tenant.createUser();
  const inactive = await tenant.createUser();
  const token = await tenant.adminToken();
  const path = `/users/${inactive.user.id}`;
  await tenant.request('PATCH', path, { token, body: { is_active: false } });
  const passkeys = await keywright.tenant('passkeys', { config: MANY_ATTEMPTS });
  const passwordless = await passkeys.createUser();
  await forbidPasswords(keywright, passkeys, passwordless);
  return {
    'a wrong secret': { tenant, identifier: active.identifier, secret: newPassword() },
    'an unknown user': { tenant, identifier: UNKNOWN, secret: newPassword() },
    'an inactive user': { tenant, identifier: inactive.identifier, secret: inactive.password },
    'a method that is not allowed': {
      tenant: passkeys,
      identifier: passwordless.identifier,
      secret: passwordless.password,
    },
  };
}

/** Disallows passwords in the tenant, and waits until the service is notified. */
async function forbidPasswords(
  keywright: Keywright,
  passkeys: TestTenant,
  user: TestUser,
): Promise<void> {
  await keywright.database.query(
    `UPDATE tenants SET config = config || '{"allowed_login_methods": ["passkey"]}' WHERE tenant_id = $1`,
    [passkeys.id],
  );
  await until('passwords are forbidden', async () => {
    const answer = await logIn({ ...user, tenant: passkeys, secret: user.password });
    return answer.status === 401;
  });
}

export function logIn({ tenant, identifier, secret }: RefusedLogin, fields: object = {}) {
  return tenant.request('POST', '/auth/login', { body: { identifier, secret, ...fields } });
}
