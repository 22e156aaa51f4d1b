// Roles and permissions, and the credentials of agents.

import { consent } from '../../harness/consent.ts';
import { createUserWith, delegate } from '../../harness/delegation.ts';
import { expectStatus } from '../../harness/http.ts';
import type { Keywright } from '../../harness/keywright.ts';
import type { TestTenant } from '../../harness/tenant.ts';

const PAYLOAD = `"'><img src=x onerror="globalThis.hacked=1">`;
const LONG = 'Donaudampfschifffahrtsgesellschaftsvertretung';

/** @returns paths below the tenant, by the name of the screen */
export async function furnishAccess(
  keywright: Keywright,
  tenant: TestTenant,
): Promise<Readonly<Record<string, string>>> {
  const user = await createUserWith(tenant, ['read:users']);
  const robot = await tenant.createAgent({
    name: `${PAYLOAD}${LONG}`,
    scopes: ['read:users'],
  });
  await delegate(tenant, user, robot, ['read:users']);
  const token = await tenant.adminToken();
  const kid = `${PAYLOAD}${LONG}`;
  const key = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', kid };
  const trust = {
    issuer: `https://issuer.example.com/${LONG.repeat(3)}`,
    audience: PAYLOAD,
    subject: `${PAYLOAD}${LONG}`,
    claims: { repository: [PAYLOAD, LONG], actor: PAYLOAD },
  };
  const body = { jwks: { keys: [key] }, trusts: [trust] };
  expectStatus(200, await tenant.request('PATCH', `/agents/${robot.agent.id}`, { token, body }));
  const client = expectStatus(
    201,
    await tenant.request('POST', '/clients', {
      token,
      body: {
        name: `${PAYLOAD}${LONG}`,
        kind: 'web',
        redirect_uris: ['https://app.example.com/callback'],
      },
    }),
  );
  await consent(keywright, tenant.id, { userId: user.user.id, clientId: String(client['id']) });
  const query = `subject=${user.user.id}&action=read&resource=users`;
  return {
    explain: '/access-check',
    'an explanation': `/access-check?${query}`,
    'a refusal': `/access-check?subject=${robot.agent.id}&action=write&resource=users&workspace=ws_default`,
    'roles, matrix': '/roles?tab=matrix',
    'roles, compared': '/roles?tab=compare&a=admin&b=member',
    'holders of a role': `/roles/${user.role}?tab=holders`,
    'access of a user': `/users/${user.user.id}?tab=access`,
    'users, fewer columns': '/users?hide=roles,created',
    'proofs of an agent': `/agents/${robot.agent.id}?tab=trust`,
    'reach of an agent': `/agents/${robot.agent.id}?tab=reach`,
    'a leak': '/agents/leak',
  };
}
