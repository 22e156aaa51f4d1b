import { TOKEN_TYPE } from '@keywright/contract/routes/token';
import { openApplication, registerClient } from './application.ts';
import { clientParameters, createUserWith, delegate, exchange } from './delegation.ts';
import { expectStatus } from './http.ts';
import type { Keywright } from './keywright.ts';
import type { TestTenant, TestUser } from './tenant.ts';
import { postToken } from './token-endpoint.ts';

/**
 * Prepares a tenant for credentials with one scope each.
 *
 * @param administrator authorizes the application, and is the subject of the delegate
 * @returns a function that creates tokens and keys with exactly this scope, by the kind of credential
 */
export async function prepareHolders(
  keywright: Keywright,
  tenant: TestTenant,
  administrator: TestUser,
): Promise<(scope: string) => Promise<Readonly<Record<string, string>>>> {
  const robots = await tenant.createAgent({ scopes: ['*:*'] });
  const clientId = await registerClient(tenant);
  return async (scope) => {
    const [{ token: user }, agent] = [
      await createUserWith(tenant, [scope]),
      await tenant.createAgent({ scopes: [scope] }),
    ];
    const tokenRequest = { ...clientParameters(agent), grant_type: 'client_credentials' };
    const agentToken = expectStatus(200, await postToken(tenant, tokenRequest)).access_token;
    const { identifier, password } = administrator;
    const { access_token: token } = await tenant.login(identifier, password);
    const principal = { ...administrator, token };
    const allowed = { user: principal, clientId, scopes: ['openid', scope] };
    const { token: application } = await openApplication(keywright, tenant, allowed);
    const { id } = await delegate(tenant, principal, robots, [scope]);
    const by = { subject_token_type: TOKEN_TYPE.delegation };
    const acting = expectStatus(200, await exchange(tenant, robots, id, by)).access_token;
    return { user, 'API key': agent.key, 'agent token': agentToken, application, delegate: acting };
  };
}
