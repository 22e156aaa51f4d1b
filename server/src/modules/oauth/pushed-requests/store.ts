import type { OAuthClientId, TenantId } from '@keywright/contract/ids';
import { findPushedRequests } from '../../../../sql/oauth/kw_find_pushed_requests.ts';
import { pushKnownRequests } from '../../../../sql/oauth/kw_push_known_requests.ts';
import { batched } from '../../../platform/db/batch.ts';
import { writeTogether } from '../../../platform/db/writes.ts';
import type { Gate } from '../../../tenancy/gate.ts';

interface Named {
  readonly tenantId: TenantId;
  readonly id: Buffer;
  readonly clientId: OAuthClientId;
}

interface NewRequest extends Named {
  /** Of the client, as it is known. */
  readonly version: number;
  readonly parameters: string;
  readonly expiresAt: Date;
}

interface StoredRequest {
  readonly parameters: string;
  readonly expires_at: string;
}

/**
 * Concurrent ones, of any tenants, are one statement and one commit.
 * @returns whether it is stored: its client has no other version
 */
export function createPush(gate: Gate): (one: NewRequest) => Promise<boolean> {
  const pushAll = (some: readonly NewRequest[]) =>
    writeTogether(some, async (requests) => {
      const [row] = await gate.callMany(pushKnownRequests, {
        ...argumentsOf(requests),
        versions: requests.map((one) => one.version),
        parameters: requests.map((one) => one.parameters),
        expiresAt: requests.map((one) => one.expiresAt),
      });
      return row?.answer as unknown as boolean[];
    });
  return batched(pushAll, { size: 32, flights: 2 });
}

/** Concurrent ones, of any tenants, are one statement. */
export function createFindPushed(
  gate: Gate,
): (one: Named & { readonly now: Date }) => Promise<StoredRequest | undefined> {
  const findAll = async (asked: readonly (Named & { readonly now: Date })[]) => {
    const given = { ...argumentsOf(asked), now: asked.map((one) => one.now) };
    const [row] = await gate.callMany(findPushedRequests, given);
    const found = row?.answer as unknown as (StoredRequest | null)[] | undefined;
    return asked.map((_, index) => found?.[index] ?? undefined);
  };
  return batched(findAll, { size: 64, flights: 1 });
}

function argumentsOf(some: readonly Named[]) {
  return {
    tenants: some.map((one) => one.tenantId),
    ids: some.map((one) => one.id),
    clients: some.map((one) => one.clientId),
  };
}
