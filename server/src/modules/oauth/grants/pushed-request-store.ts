import type { OAuthClientId, TenantId } from '@keywright/contract/ids';
import {
  findPushedRequest,
  type FindPushedRequestRow,
} from '../../../../sql/oauth/kw_find_pushed_request.ts';
import { pushRequest } from '../../../../sql/oauth/kw_push_request.ts';
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

export type PushedRequestRow = FindPushedRequestRow;

/** @returns for each request whether it was stored: false if its client has changed since */
export function insertPushedRequests(gate: Gate, requests: readonly NewPushedRequest[]) {
  return writeTogether(requests, async (batch) => {
    const items = batch.map(({ tenantId, id, clientId, version, parameters, expiresAt }) => ({
      tenant: tenantId,
      id,
      client: clientId,
      version,
      parameters,
      expiresAt,
    }));
    const stored = await gate.callEach(pushRequest, items);
    return stored.map(([row]) => row?.answer ?? false);
  });
}

export async function findPushedRequestRows(
  gate: Gate,
  lookups: readonly PushedRequestLookup[],
): Promise<(PushedRequestRow | undefined)[]> {
  const items = lookups.map(({ tenantId: tenant, id, clientId: client, now }) => ({
    tenant,
    id,
    client,
    now,
  }));
  const found = await gate.callEach(findPushedRequest, items);
  return found.map(([row]) => row);
}
