import type { AccessTokenClaims } from '@keywright/contract/claims';
import { type AgentId, parseUserId, type UserId } from '@keywright/contract/ids';
import type { Clock } from '../../../platform/clock.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { hashApiKey, looksLikeApiKey } from '../../machines/api-keys/index.ts';
import type { FindActive } from '../../authentication/bearer/index.ts';
import type { InspectToken } from '../../tokens/access-tokens/index.ts';
import { type Check, isUser } from './checks.ts';
import { type Evidence, evidenceOfAgent, evidenceOfApiKey, evidenceOfUser } from './evidence.ts';
import { type Reason, reasonOf } from './reasons.ts';
import { actorsOf, holderOf } from './holder.ts';
import type { Holder } from './rules.ts';
import { evidenceOfClaims, isImpersonation } from './token-evidence.ts';

/** The subject of a check. */
interface EvaluatedSubject {
  /** The scopes required to read about it, beside that of the route. */
  readonly takes: readonly string[];
  readonly findEvidence: (tx: TenantTx) => Promise<Evidence>;
  /** Who must belong to the workspace; no subjects if unknown. */
  readonly holder: Holder;
}

export type FindSubject = (tenant: Tenant, check: Check) => Promise<EvaluatedSubject>;

interface Dependencies {
  readonly findActive: FindActive;
  readonly inspect: InspectToken;
  readonly clock: Clock;
}

const OF_USERS = ['read:users', 'read:roles'];
const OF_SESSIONS = ['read:sessions'];
const OF_AGENTS = ['read:agents', 'read:apikeys'];
const NOBODY: Holder = { scopes: [], subjects: [] };

export function createFindSubject({ findActive, inspect, clock }: Dependencies): FindSubject {
  async function ofApiKey(
    tenant: Tenant,
    key: string,
    needed: readonly string[],
  ): Promise<EvaluatedSubject> {
    const hash = hashApiKey(key);
    if (!hash) return onlyReasons(reasonOf('token_malformed'));
    const claims = await findActive(tenant, key);
    return {
      takes: OF_AGENTS,
      findEvidence: (tx) => evidenceOfApiKey(tx, { hash }, needed),
      holder: claims ? holderOf(claims) : NOBODY,
    };
  }

  async function ofToken(
    tenant: Tenant,
    token: string,
    needed: readonly string[],
  ): Promise<EvaluatedSubject> {
    const { claims, flaw } = await inspect(tenant, token, clock.now());
    const flaws = flaw ? [reasonOf(flaw)] : [];
    if (!claims) return onlyReasons(...flaws);
    const isOver = isImpersonation(claims) && !flaw && !(await findActive(tenant, token));
    if (isOver) flaws.push(reasonOf('impersonation_ended'));
    return {
      takes: scopesToTellOf(claims),
      findEvidence: async (tx) => {
        const evidence = await evidenceOfClaims(tx, claims, needed);
        return { ...evidence, reasons: [...flaws, ...evidence.reasons] };
      },
      holder: holderOf(claims),
    };
  }

  return async (tenant, { token, subject, needed }) => {
    if (token !== undefined) {
      return looksLikeApiKey(token)
        ? ofApiKey(tenant, token, needed)
        : ofToken(tenant, token, needed);
    }
    return named(subject, needed);
  };
}

function named(subject: string, needed: readonly string[]): EvaluatedSubject {
  return {
    takes: isUser(subject) ? OF_USERS : OF_AGENTS,
    findEvidence: (tx) =>
      isUser(subject)
        ? evidenceOfUser(tx, subject as UserId, needed)
        : evidenceOfAgent(tx, subject as AgentId, needed),
    holder: { scopes: [], subjects: [subject] },
  };
}

/** The scopes to read what the token depends on. An impersonator is not a user of the tenant. */
function scopesToTellOf(claims: AccessTokenClaims): string[] {
  if (isImpersonation(claims)) return [];
  const isOfUser = parseUserId(claims.sub) !== undefined;
  const isOfAgent = !isOfUser || actorsOf(claims).length > 0;
  return [
    ...(isOfUser ? OF_USERS : []),
    ...(claims.sid === undefined ? [] : OF_SESSIONS),
    ...(isOfAgent ? OF_AGENTS : []),
  ];
}

/** What can be said about an unknown subject. */
function onlyReasons(...reasons: readonly Reason[]): EvaluatedSubject {
  const evidence = { grants: [], removals: [], reasons };
  return { takes: [], findEvidence: () => Promise.resolve(evidence), holder: NOBODY };
}
