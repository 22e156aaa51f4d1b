import { parseAgentId } from '@keywright/contract/ids';
import type { AgentTrust } from '@keywright/contract/records/agent-proofs';
import type { Clock } from '../../../platform/clock.ts';
import {
  outsideSignatureIsValid,
  parseOutsideToken,
} from '../../../platform/crypto/outside-jws.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { IssuerKeys } from './issuer-keys.ts';
import { endOf, jtiOf, timesFlaw } from './statement-rules.ts';
import type { Spend } from './spend-store.ts';
import { type ClientRow, findClient } from './store.ts';
import { trustFits } from './trust-rules.ts';

/** An agent, and the claims of the token that authenticated it. */
interface Workload {
  readonly client: ClientRow;
  readonly issuer: string;
  readonly subject: string;
}

/** Decides whether a token of an external issuer authenticates this agent by one of its trusts. */
export type VerifyWorkloadToken = (
  tenant: Tenant,
  clientId: string,
  token: string,
) => Promise<Workload | { readonly client?: undefined; readonly refusal: string }>;

/** Maximum length of a subject in the audit log. */
const MAX_SHOWN = 256;

interface Dependencies {
  readonly gate: Gate;
  readonly spend: Spend;
  readonly issuerKeys: IssuerKeys;
  readonly clock: Clock;
}

/** RFC 7523 §3, with an agent's trusts instead of a registered authorization server. */
export function createVerifyWorkloadToken({
  gate,
  spend,
  issuerKeys,
  clock,
}: Dependencies): VerifyWorkloadToken {
  return async (tenant, clientId, text) => {
    const token = parseOutsideToken(text);
    if (token?.typ !== 'jwt') return { refusal: 'malformed' };
    const agentId = parseAgentId(clientId);
    const data = gate.into(tenant.id);
    const client = agentId && (await data.transaction((tx) => findClient(tx, agentId)));
    if (!client) return { refusal: 'client' };
    const { claims } = token;
    // Keys are fetched only from issuers that the agent trusts.
    const trusts = client.trusts.filter(({ issuer }) => issuer === claims['iss']);
    const [first] = trusts;
    if (!first) return { refusal: 'iss' };
    // Whatever needs no key is checked first.
    const flaw = timesFlaw(claims, clock.now());
    if (flaw) return { refusal: flaw };
    const trust = trusts.find((one) => trustFits(one, claims));
    if (!trust) return { refusal: 'aud, sub or claims' };
    const found = await issuerKeys.find(tenant.id, first.issuer, token);
    if (!found.key) return { refusal: found.refusal };
    if (!outsideSignatureIsValid(token, found.key)) return { refusal: 'signature' };
    if (!(await useUp(trust))) return { refusal: 'used before' };
    return { client, issuer: trust.issuer, subject: String(claims['sub']).slice(0, MAX_SHOWN) };

    async function useUp({ issuer, single_use: isSingleUse = true }: AgentTrust): Promise<boolean> {
      const jti = jtiOf(claims);
      if (!isSingleUse || jti === undefined) return true;
      return spend({ tenantId: tenant.id, maker: issuer, jti, endsAt: endOf(claims) });
    }
  };
}
