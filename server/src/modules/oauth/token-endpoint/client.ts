import type { AccessTokenClaims } from '@keywright/contract/claims';
import type { Fail } from '@keywright/contract/errors';
import {
  type AgentId,
  type ApiKeyId,
  parseAgentId,
  type WorkspaceId,
} from '@keywright/contract/ids';
import type { Origin } from '../../../tenancy/caller.ts';
import { isUnderFapi2 } from '../../../tenancy/oauth-profile.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { ApiKeys } from '../../machines/api-keys/index.ts';
import type { BearerService } from '../../authentication/bearer/index.ts';
import type { ClientRow, VerifyClientAssertion } from '../../tokens/proofs/index.ts';
import type { ClientProof } from './client-proof.ts';
import { findGoodClaims } from './presented-token.ts';

/** An authenticated agent, and what its token may contain. */
export interface Client {
  readonly agentId: AgentId;
  readonly workspaceId: WorkspaceId;
  readonly scopes: readonly string[];
  /** `ver`: of the agent, at the moment that its scopes are of. */
  readonly version: number;
  /** The key that it came with. */
  readonly keyId?: ApiKeyId;
  /** When its credential expires. */
  readonly endsAt?: Date;
  /** How it authenticated, for the audit log. */
  readonly grounds: Grounds;
}

export type Grounds =
  | { readonly by: ClientProof['by'] }
  | { readonly by: 'trust'; readonly issuer: string; readonly subject: string };

/** Authenticates the agent. @throws AppError CLIENT_INVALID, the same for every failure */
export type AuthenticateClient = (
  tenant: Tenant,
  proof: ClientProof | undefined,
  from: Origin,
  fail: Fail<'CLIENT_INVALID'>,
) => Promise<Client>;

interface Dependencies {
  readonly apiKeys: ApiKeys;
  readonly bearer: BearerService;
  readonly verifyAssertion: VerifyClientAssertion<ClientRow>;
}

export function createAuthenticateClient(dependencies: Dependencies): AuthenticateClient {
  const { apiKeys, bearer, verifyAssertion } = dependencies;

  async function find(
    tenant: Tenant,
    proof: ClientProof,
    from: Origin,
  ): Promise<Client | { readonly refusal: string }> {
    if (proof.by === 'secret') {
      // FAPI 2.0 Security Profile §5.3.2.1 item 6.
      if (isUnderFapi2(tenant)) return { refusal: 'fapi2: secret' };
      // The key first and then its agent: an unknown id gets the same answer as a wrong key.
      const caller = await apiKeys.authenticate(tenant, proof.secret, from);
      const isTheirs = caller?.subject === proof.clientId;
      return isTheirs ? clientOf(caller.claims, proof) : { refusal: 'key' };
    }
    if (proof.by === 'assertion') {
      const verdict = await verifyAssertion(tenant, proof.token, proof.clientId);
      return verdict.client ? clientOfRow(verdict.client, { by: proof.by }) : verdict;
    }
    const claims = await findGoodClaims(bearer, tenant, proof.token);
    const isTheirs = proof.clientId === undefined || proof.clientId === claims?.sub;
    return claims && parseAgentId(claims.sub) && isTheirs
      ? clientOf(claims, proof)
      : { refusal: 'actor_token' };
  }

  return async (tenant, proof, from, fail) => {
    if (!proof) return fail('CLIENT_INVALID', { internal: 'nothing presented' });
    const found = await find(tenant, proof, from);
    return 'refusal' in found ? fail('CLIENT_INVALID', { internal: found.refusal }) : found;
  };
}

/** By what its key or its token says. */
function clientOf(claims: Omit<AccessTokenClaims, 'jti'>, { by }: ClientProof): Client {
  return {
    agentId: claims.sub as AgentId,
    workspaceId: claims.workspace_id,
    scopes: claims.scopes,
    version: claims.ver,
    ...(claims.key_id === undefined ? {} : { keyId: claims.key_id }),
    endsAt: new Date(claims.exp * 1000),
    grounds: { by },
  };
}

/** By its own signature, or that of an issuer that it trusts: all permissions of the agent. */
export function clientOfRow(row: ClientRow, grounds: Grounds): Client {
  const { id, workspace_id: workspaceId, scopes, access_version: version } = row;
  return { agentId: id, workspaceId, scopes, version, grounds };
}
