import { CLIENT_ASSERTION_TYPE } from '@keywright/contract/routes/client-authentication';
import { GRANT_TYPE } from '@keywright/contract/routes/token';
import { randomUUID } from 'node:crypto';
import {
  clientParameters,
  createUserWith,
  delegate,
  exchange,
  type UserWithRole,
} from './delegation.ts';
import { expectStatus } from './http.ts';
import { newStatementKey } from './statement-key.ts';
import type { TestAgent, TestTenant } from './tenant.ts';
import { getToken } from './token-endpoint.ts';

/** Users and agents of a tenant, and tokens of every kind that depend on them. */
export interface Cast {
  readonly ann: UserWithRole;
  readonly bob: UserWithRole;
  readonly robot: TestAgent;
  /** Another key of the robot. */
  readonly spare: { readonly id: string; readonly key: string };
  readonly drone: TestAgent;
  /** Ann's delegation to the robot. */
  readonly delegationId: string;
  /** Tokens by a name that states what they depend on. */
  readonly tokens: Readonly<Record<TokenName, string>>;
}

export type TokenName =
  | 'ann'
  | 'ann elsewhere'
  | 'bob'
  | 'robot by key'
  | 'robot by spare key'
  | 'robot by signature'
  | 'drone by key'
  | 'robot for ann'
  | 'drone for robot for ann'
  | 'drone for bob';

const SCOPES = ['read:users', 'write:notes'];

export async function newCast(tenant: TestTenant, issuer: string): Promise<Cast> {
  const ann = await createUserWith(tenant, SCOPES);
  const bob = await createUserWith(tenant, SCOPES);
  const signing = await newStatementKey();
  const robot = await tenant.createAgent({ scopes: SCOPES });
  const drone = await tenant.createAgent({ scopes: SCOPES });
  const { record, key } = await tenant.createApiKey(robot.agent.id);
  const { id: delegationId } = await delegate(tenant, ann, robot, SCOPES);
  await delegate(tenant, ann, drone, SCOPES);
  await delegate(tenant, bob, drone, SCOPES);
  await setJwks(tenant, robot, signing.publicJwk);
  const actFor = async (by: TestAgent, token: string) =>
    expectStatus(200, await exchange(tenant, by, token)).access_token;
  const byKey = (agent: TestAgent) =>
    getToken(tenant, { grant_type: GRANT_TYPE.clientCredentials, ...clientParameters(agent) });
  const robotForAnn = await actFor(robot, ann.token);
  const tokens = {
    ann: ann.token,
    'ann elsewhere': (await tenant.login(ann.identifier, ann.password)).access_token,
    bob: bob.token,
    'robot by key': await byKey(robot),
    'robot by spare key': await byKey({ ...robot, key }),
    'robot by signature': await bySignature(tenant, robot, issuer, signing.sign),
    'drone by key': await byKey(drone),
    'robot for ann': robotForAnn,
    'drone for robot for ann': await actFor(drone, robotForAnn),
    'drone for bob': await actFor(drone, bob.token),
  };
  return { ann, bob, robot, spare: { id: record.id, key }, drone, delegationId, tokens };
}

async function setJwks(tenant: TestTenant, { agent }: TestAgent, jwk: object): Promise<void> {
  const token = await tenant.adminToken();
  const body = { jwks: { keys: [jwk] } };
  expectStatus(200, await tenant.request('PATCH', `/agents/${agent.id}`, { token, body }));
}

async function bySignature(
  tenant: TestTenant,
  { agent: { id } }: TestAgent,
  aud: string,
  sign: (claims: object) => Promise<string>,
): Promise<string> {
  const iat = Math.floor(Date.now() / 1000);
  const assertion = await sign({ iss: id, sub: id, aud, jti: randomUUID(), iat, exp: iat + 60 });
  return getToken(tenant, {
    grant_type: GRANT_TYPE.clientCredentials,
    client_assertion_type: CLIENT_ASSERTION_TYPE,
    client_assertion: assertion,
  });
}
