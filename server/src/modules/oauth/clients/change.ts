import type { Fail, FieldError } from '@keywright/contract/errors';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import type { BodyOf } from '@keywright/contract/route';
import type { updateClient } from '@keywright/contract/routes/clients';
import { changedFields, isEmpty } from '../../../platform/patch.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { record } from '../../events/journal/index.ts';
import { requireHeld, requireMayChangeLogins } from '../../identity/roles/index.ts';
import { presentClient } from './present.ts';
import { profileOf } from './profile.ts';
import { flawsOf, isTrusted, permissionsOf } from './rules.ts';
import { changesSector, type FetchSectorList, flawsOfSector, type SectorList } from './sector.ts';
import {
  requireClient,
  requireFlawless,
  requireKnown,
  requireKnownTypes,
  requireProviders,
} from './service.ts';
import { replaceClient } from './store.ts';

/** Lists whose order says nothing. */
const SETS = [
  'redirect_uris',
  'post_logout_redirect_uris',
  'grant_types',
  'scopes',
  'contacts',
  'authorization_details_types',
] as const;

interface AskedChange {
  readonly of: Tenant;
  readonly caller: Caller;
  readonly id: string;
  readonly patch: BodyOf<typeof updateClient>;
}

type RefuseChange = Fail<'NOT_FOUND' | 'VALIDATION_FAILED' | 'SCOPE_NOT_HELD'>;

export async function changeClient(
  tenant: TenantData,
  fetchSectorList: FetchSectorList,
  asked: AskedChange,
  fail: RefuseChange,
): Promise<OAuthClientRecord> {
  let list: SectorList | undefined;
  for (;;) {
    const changed = await tryChange(tenant, asked, list, fail);
    if (!('needed' in changed)) return changed;
    // Not within the transaction. Another change may have set another list meanwhile.
    list = await fetchSectorList(tenant.tenantId, changed.needed);
  }
}

/** Nobody vouches for a client that registered itself, and what its document says is said again at the next login. */
function flawsOfOrigin(
  createdBy: OAuthClientRecord['created_by'],
  patch: Partial<AskedChange['patch']>,
): FieldError[] {
  const { is_active: _, ...change } = patch;
  const isPublished = createdBy === 'metadata_document';
  const refused = Object.keys(change).filter((name) => isPublished || name === 'first_party');
  if (createdBy === 'admin') return [];
  const message = isPublished
    ? 'is what the document of the client says'
    : 'cannot be set for a client that registered itself';
  return refused.map((name) => ({ path: `/${name}`, message }));
}

/** @returns which list of redirect URIs it needs, where that is not this one; then nothing has changed */
function tryChange(
  tenant: TenantData,
  { of, caller, id, patch }: AskedChange,
  list: SectorList | undefined,
  fail: RefuseChange,
): Promise<OAuthClientRecord | { readonly needed: string }> {
  return tenant.transaction(async (tx) => {
    const before = presentClient(await requireClient(tx, caller, id, fail));
    const change = changedFields(patch, before, SETS);
    if (isEmpty(change)) return before;
    const {
      id: clientId,
      tenant_id: _,
      secrets: __,
      created_at: ___,
      last_used_at: ____,
      created_by: createdBy,
      ...fields
    } = before;
    const after = { ...fields, ...change };
    // A redirect URI of one's own would get the codes of users who are not asked.
    if (isTrusted(before) || isTrusted(after)) await requireMayChangeLogins(tx, of, caller, fail);
    const flaws = flawsOf(after, profileOf(of, after));
    requireFlawless([...flawsOfOrigin(createdBy, change), ...flaws], fail);
    // Users would be asked for permissions that the caller lacks, in the tenant's name.
    await requireHeld(tx, caller, permissionsOf(after.scopes), fail);
    await requireKnown(tx, change.scopes ?? [], fail);
    await requireKnownTypes(tx, change.authorization_details_types ?? [], fail);
    if (change.identity_assertions) await requireProviders(tx, after, fail);
    if (changesSector(change) && after.sector_identifier_uri !== null) {
      const { sector_identifier_uri: needed } = after;
      if (list?.uri !== needed) return { needed };
      requireFlawless(flawsOfSector(after, list), fail);
    }
    await replaceClient(tx, clientId, after);
    await record(tx, caller, {
      action: 'client.updated',
      target: { kind: 'client', id: clientId },
      details: { fields: Object.keys(change), ...change },
      events: [],
    });
    return { ...before, ...change };
  });
}
