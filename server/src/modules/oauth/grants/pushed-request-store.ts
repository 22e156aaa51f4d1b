import type { OAuthClientId, TenantId } from '@keywright/contract/ids';
import { findPushedRequests } from '../../../../sql/oauth/kw_find_pushed_requests.ts';
import { pushKnownRequests } from '../../../../sql/oauth/kw_push_known_requests.ts';
import { writeTogether } from '../../../platform/db/calls.ts';
import type { Gate } from '../../../tenancy/gate.ts';

/** The key of a pushed request. */
interface PushedRequestKey {
  readonly tenantId: TenantId;
  /** The hash of the `request_uri` reference. */
  readonly id: Buffer;
  readonly clientId: OAuthClientId;
}

export interface PushedRequestLookup extends PushedRequestKey {
  readonly now: Date;
}

export interface NewPushedRequest extends PushedRequestKey {
  /** The version of the client that is cached on this node. */
  readonly version: number;
  readonly parameters: string;
  readonly expiresAt: Date;
}

export interface PushedRequestRow {
  readonly parameters: string;
  readonly expires_at: string;
}

/** @returns for each request whether it was stored: false if its client has changed since */
export function insertPushedRequests(gate: Gate, requests: readonly NewPushedRequest[]) {
  return writeTogether(requests, async (writable) => {
    const [row] = await gate.callMany(pushKnownRequests, {
      ...keysOf(writable),
      versions: writable.map((request) => request.version),
      parameters: writable.map((request) => request.parameters),
      expiresAt: writable.map((request) => request.expiresAt),
    });
    return row?.answer ?? [];
  });
}

export async function findPushedRequestRows(
  gate: Gate,
  lookups: readonly PushedRequestLookup[],
): Promise<(PushedRequestRow | undefined)[]> {
  const now = lookups.map((lookup) => lookup.now);
  const [row] = await gate.callMany(findPushedRequests, { ...keysOf(lookups), now });
  const found = row?.answer;
  return lookups.map((_, index) => found?.[index] ?? undefined);
}

function keysOf(requests: readonly PushedRequestKey[]) {
  return {
    tenants: requests.map((request) => request.tenantId),
    ids: requests.map((request) => request.id),
    clients: requests.map((request) => request.clientId),
  };
}
