import type { ActorClaim, CredentialClaims } from '@keywright/contract/claims';
import type { TenantId, WorkspaceId } from '@keywright/contract/ids';
import { batched } from '../../platform/db/batch.ts';
import type { Gate } from '../../tenancy/gate.ts';
import type { Tenant } from '../../tenancy/tenant.ts';
import type { FindActive } from '../authentication/index.ts';
import type { Check } from './checks.ts';
import { type Holder, missingIn } from './rules.ts';
import { findStandings, type Question, type Standing } from './store.ts';

export interface Decision {
  readonly allowed: boolean;
  readonly missing: string[];
}

/** `workspace_unknown`: the tenant has no such workspace. */
export type Decide = (tenant: Tenant, check: Check) => Promise<Decision | 'workspace_unknown'>;

/** Somebody whom there is not: the workspace is looked for all the same. */
const NOBODY: Holder = { scopes: [], subjects: [''] };

/**
 * Decides checks. What they need to know is asked of the database each time, those of one moment in one
 * statement; a token without a workspace takes none beyond the question whether it is alive.
 */
export function createDecide(gate: Gate, findActive: FindActive): Decide {
  const stand = batched((questions: readonly Question[]) => findStandings(gate, questions), {
    size: 256,
    flights: 2,
  });

  function findPlaces(
    tenantId: TenantId,
    subjects: readonly string[],
    workspaceId: WorkspaceId,
  ): Promise<Standing[]> {
    return Promise.all(subjects.map((subject) => stand({ tenantId, subject, workspaceId })));
  }

  async function decideToken(tenant: Tenant, token: string, check: Check) {
    const claims = await findActive(tenant, token);
    const holder = claims ? holderOf(claims) : NOBODY;
    const { needed, workspaceId } = check;
    if (workspaceId === undefined) return decision(missingIn(holder, [], needed));
    const places = await findPlaces(tenant.id, holder.subjects, workspaceId);
    return judge(holder, places, needed);
  }

  return async (tenant, check) => {
    if (check.token !== undefined) return decideToken(tenant, check.token, check);
    const { subject, workspaceId, needed } = check;
    const standing = await stand({ tenantId: tenant.id, subject, workspaceId });
    const scopes = standing.is_active ? standing.scopes : [];
    return judge({ scopes, subjects: [subject] }, [standing], needed);
  };
}

function judge(
  holder: Holder,
  standings: readonly Standing[],
  needed: readonly string[],
): Decision | 'workspace_unknown' {
  const places = standings.map((one) => one.place);
  return places.includes('unknown')
    ? 'workspace_unknown'
    : decision(missingIn(holder, places, needed));
}

function decision(missing: string[]): Decision {
  return { allowed: missing.length === 0, missing };
}

/** Whose standing counts: that of the subject, and of every agent that acts for them. */
function holderOf({ sub, scopes, act }: CredentialClaims): Holder {
  const actors: string[] = [];
  for (let one: ActorClaim | undefined = act; one?.delegation_id !== undefined; one = one.act) {
    actors.push(one.sub);
  }
  return { scopes, subjects: [sub, ...actors] };
}
