import { batched } from '../../../platform/db/batch.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { BearerService } from '../../authentication/bearer/index.ts';
import { type Check, holderOf, type Holder, missingIn, usableScopes } from './evaluation-rules.ts';
import {
  findAllEffectivePermissions,
  type Question,
  type EffectivePermissions,
} from './evaluation-store.ts';

/**
 * The current permissions of a subject, and its membership, read from the database each time; many in one statement.
 */
export type FindEffectivePermissions = (question: Question) => Promise<EffectivePermissions>;

export function createFindEffectivePermissions(gate: Gate): FindEffectivePermissions {
  return batched((questions: readonly Question[]) => findAllEffectivePermissions(gate, questions), {
    size: 256,
    flights: 2,
  });
}

interface Verdict {
  readonly allowed: boolean;
  readonly missing: string[];
}

/** `workspace_unknown`: the tenant has no such workspace. */
export type Decided = Verdict | 'workspace_unknown';

export type Decide = (tenant: Tenant, check: Check) => Promise<Decided>;

/** An unknown subject: the workspace is still looked up. */
const NOBODY: Holder = { scopes: [], subjects: [''] };

/**
 * Decides checks. Permissions are read from the database each time, concurrent ones in one statement; a token without a
 * workspace needs only the check that it is alive.
 */
export function createDecide(
  bearer: BearerService,
  findEffectivePermissions: FindEffectivePermissions,
): Decide {
  async function decideToken(tenant: Tenant, token: string, { needed, workspaceId }: Check) {
    const claims = await bearer.findActive(tenant, token);
    const holder = claims ? holderOf(claims) : NOBODY;
    if (workspaceId === undefined) return decision(missingIn(holder, [], needed));
    const permissions = holder.subjects.map((subject) =>
      findEffectivePermissions({ tenantId: tenant.id, subject, workspaceId, holdings: false }),
    );
    return judge(holder, await Promise.all(permissions), needed);
  }

  return async (tenant, check) => {
    if (check.token !== undefined) return decideToken(tenant, check.token, check);
    const { subject, workspaceId, needed } = check;
    const question = { tenantId: tenant.id, subject, workspaceId, holdings: true };
    const permissions = await findEffectivePermissions(question);
    return judge({ scopes: usableScopes(permissions), subjects: [subject] }, [permissions], needed);
  };
}

function judge(
  holder: Holder,
  permissions: readonly EffectivePermissions[],
  needed: readonly string[],
): Decided {
  const places = permissions.map((one) => one.place);
  return places.includes('unknown')
    ? 'workspace_unknown'
    : decision(missingIn(holder, places, needed));
}

function decision(missing: string[]): Verdict {
  return { allowed: missing.length === 0, missing };
}
