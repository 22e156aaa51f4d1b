import type { FieldError } from '@keywright/contract/errors';
import type { TenantId } from '@keywright/contract/ids';
import type { Egress } from '../../../platform/egress/egress.ts';
import { getJson } from '../../../platform/egress/json.ts';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';

type SectorFields = Pick<OAuthClientRecord, 'redirect_uris' | 'sector_identifier_uri'>;

const LIST_LIMITS = { timeoutMs: 5000, maxBytes: 64 * 1024 } as const;
/** Reads of one tenant at a time: silent hosts of one must not use up the connections of all. */
const MAX_AT_ONCE = 16;

/** What is at the `sector_identifier_uri` of a client. */
export interface SectorList {
  readonly uri: string;
  /** Undefined: it could not be read. */
  readonly listed: ReadonlySet<unknown> | undefined;
  /** Why not. */
  readonly detail: string;
}

/** Never throws because of what is there. Redirects are not followed. */
export type FetchSectorList = (tenantId: TenantId, uri: string) => Promise<SectorList>;

export function createFetchSectorList(egress: Egress): FetchSectorList {
  const inFlight = new Map<TenantId, number>();
  return async (tenantId, uri) => {
    const already = inFlight.get(tenantId) ?? 0;
    if (already >= MAX_AT_ONCE) {
      return { uri, listed: undefined, detail: 'Too many lists are being read.' };
    }
    inFlight.set(tenantId, already + 1);
    try {
      return await fetchList(egress, tenantId, uri);
    } finally {
      const left = (inFlight.get(tenantId) ?? 1) - 1;
      if (left === 0) inFlight.delete(tenantId);
      else inFlight.set(tenantId, left);
    }
  };
}

async function fetchList(egress: Egress, onBehalfOf: TenantId, uri: string): Promise<SectorList> {
  const answer = await getJson(egress, { url: uri, onBehalfOf, ...LIST_LIMITS });
  if (answer.outcome !== 'answered') return { uri, listed: undefined, detail: answer.detail };
  const { value } = answer;
  const listed = Array.isArray(value) ? new Set<unknown>(value) : undefined;
  return { uri, listed, detail: 'It has to be a JSON list of addresses.' };
}

/** Whether what decides pairwise subjects changes with these fields, so that the list has to be read. */
export function changesSector(change: Partial<SectorFields>): boolean {
  return change.redirect_uris !== undefined || change.sector_identifier_uri !== undefined;
}

/** OpenID Connect Registration §5: the list has all redirect URIs, or anybody could claim the subjects of a host. */
export function flawsOfSector(
  { redirect_uris: uris }: Pick<SectorFields, 'redirect_uris'>,
  list: SectorList | undefined,
): FieldError[] {
  if (!list) return [];
  const { listed, detail } = list;
  if (!listed) {
    return [{ path: '/sector_identifier_uri', message: `cannot be read. ${detail}` }];
  }
  return uris.flatMap((uri, index) => {
    const message = `leads to a list without /redirect_uris/${index}`;
    return listed.has(uri) ? [] : [{ path: '/sector_identifier_uri', message }];
  });
}
