import type { DelegationRecord } from '@keywright/contract/records/delegation';
import { GRANT_TYPE, TOKEN_TYPE } from '@keywright/contract/routes/token';
import { expectStatus } from './http.ts';
import type { RequestToNode, TestAgent, TestTenant, TestUser } from './tenant.ts';
import { postToken, type TokenParameters } from './token-endpoint.ts';

export interface UserWithRole extends TestUser {
  /** The user's only role. */
  readonly role: string;
}

let roles = 0;

/** A user with exactly these scopes, through a dedicated role. */
export async function createUserWith(
  tenant: TestTenant,
  scopes: readonly string[],
  more: { readonly identifier?: string } = {},
): Promise<UserWithRole> {
  roles += 1;
  const role = `role-${roles}`;
  const body = { name: role, scopes };
  const token = await tenant.adminToken();
  expectStatus(201, await tenant.request('POST', '/roles', { token, body }));
  return { ...(await tenant.createUser({ roles: [role], ...more })), role };
}

/** Makes the user delegate to the agent. */
export async function delegate(
  tenant: TestTenant,
  { token }: TestUser,
  to: TestAgent,
  scopes: readonly string[],
  more: object = {},
): Promise<DelegationRecord> {
  const body = { agent_id: to.agent.id, scopes, ...more };
  const answer = await tenant.request<DelegationRecord>('POST', '/me/delegations', { token, body });
  return expectStatus(201, answer);
}

/** The parameters with which an agent authenticates. */
export function clientParameters({ agent, key }: TestAgent) {
  return { client_id: agent.id, client_secret: key };
}

/** Requests a token with which the agent acts for the subject of another token. */
export function exchange(
  tenant: TestTenant,
  by: TestAgent,
  token: string,
  more: TokenParameters = {},
  options: RequestToNode = {},
) {
  const parameters = {
    grant_type: GRANT_TYPE.tokenExchange,
    ...clientParameters(by),
    subject_token: token,
    subject_token_type: TOKEN_TYPE.accessToken,
    ...more,
  };
  return postToken(tenant, parameters, options);
}
