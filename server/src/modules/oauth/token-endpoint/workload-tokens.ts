import { parseAgentId } from '@keywright/contract/ids';
import type { AgentTrust } from '@keywright/contract/records/agent-proofs';
import type { Clock } from '../../../platform/clock.ts';
import {
  type OutsideToken,
  outsideSignatureIsValid,
  parseOutsideToken,
} from '../../../platform/crypto/outside-jws.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type AgentClient, findAgentClient } from '../../machines/agents/index.ts';
import {
  type IssuerKeys,
  type SpentStatements,
  endOf,
  jtiOf,
  timesFlaw,
  trustFits,
} from '../../tokens/proofs/index.ts';

/** An authenticated agent, and the issuer and subject of its token. */
interface Workload {
  readonly client: AgentClient;
  readonly issuer: string;
  readonly subject: string;
}

/** Maximum length of a subject in the audit log. */
const MAX_LOGGED = 256;

/** Verifies tokens of external issuers (RFC 7523 §3) by an agent's trusts, not a registered authorization server. */
export class WorkloadTokens {
  readonly #gate: Gate;
  readonly #clock: Clock;
  readonly #spentStatements: SpentStatements;
  readonly #issuerKeys: IssuerKeys;

  constructor(gate: Gate, clock: Clock, spentStatements: SpentStatements, issuerKeys: IssuerKeys) {
    this.#gate = gate;
    this.#clock = clock;
    this.#spentStatements = spentStatements;
    this.#issuerKeys = issuerKeys;
  }

  /** Requires that a token authenticates this agent by one of its trusts. */
  async verify(
    tenant: Tenant,
    clientId: string,
    text: string,
  ): Promise<Workload | { readonly client?: undefined; readonly refusal: string }> {
    const token = parseOutsideToken(text);
    if (token?.typ !== 'jwt') return { refusal: 'malformed' };
    const agentId = parseAgentId(clientId);
    const data = this.#gate.into(tenant.id);
    const client = agentId && (await data.transaction((tx) => findAgentClient(tx, agentId)));
    if (!client) return { refusal: 'client' };
    const { claims } = token;
    // Keys are fetched only from issuers that the agent trusts.
    const trusts = client.trusts.filter(({ issuer }) => issuer === claims['iss']);
    const [first] = trusts;
    if (!first) return { refusal: 'iss' };
    // Checks that need no key come first.
    const flaw = timesFlaw(claims, this.#clock.now());
    if (flaw) return { refusal: flaw };
    const trust = trusts.find((candidate) => trustFits(candidate, claims));
    if (!trust) return { refusal: 'aud, sub or claims' };
    const found = await this.#issuerKeys.find(tenant.id, first.issuer, token);
    if (!found.key) return { refusal: found.refusal };
    if (!outsideSignatureIsValid(token, found.key)) return { refusal: 'signature' };
    if (!(await this.#spend(tenant, trust, claims))) return { refusal: 'used before' };
    return { client, issuer: trust.issuer, subject: String(claims['sub']).slice(0, MAX_LOGGED) };
  }

  async #spend(
    { id: tenantId }: Tenant,
    { issuer, single_use: isSingleUse = true }: AgentTrust,
    claims: OutsideToken['claims'],
  ): Promise<boolean> {
    const jti = jtiOf(claims);
    if (!isSingleUse || jti === undefined) return true;
    const endsAt = endOf(claims);
    return this.#spentStatements.spend({ tenantId, maker: issuer, jti, endsAt });
  }
}
