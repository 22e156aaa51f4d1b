import type { FieldError } from '@keywright/contract/errors';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import type { BodyOf } from '@keywright/contract/route';
import type { changeRegistration } from '@keywright/contract/routes/registration';
import { changedFields, isEmpty } from '../../../platform/patch.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { anonymous, record } from '../../events/journal/index.ts';
import {
  type ClientFields,
  type ClientRow,
  findClientIn,
  type findRegistration,
  flawsOf,
  hasSecret,
  presentClient,
  profileOf,
  replaceClient,
  requireFlawless,
} from '../clients/index.ts';
import type { Resource } from '../resources/index.ts';
import { readMetadata, type RefuseMetadata, refuseFields } from './metadata.ts';

export type ChangedMetadata = BodyOf<typeof changeRegistration>;

/** A registration, and the client that it is of. */
export interface Own {
  readonly client: ClientRow;
  readonly registration: NonNullable<Awaited<ReturnType<typeof findRegistration>>>;
}

/** What a change is judged by, beside the client. */
interface Around {
  readonly tenant: Tenant;
  readonly resources: readonly Resource[];
}

/** What an application is after its change. What it is and how it authenticates stays, and what only administrators set. */
export function fieldsAfter(
  { client, registration }: Own,
  metadata: ChangedMetadata,
  { tenant, resources }: Around,
  fail: RefuseMetadata,
): ClientFields {
  const { client_id: id, client_secret: _, ...said } = metadata;
  const before = presentClient(client);
  const { kind, token_endpoint_auth_method: method } = before;
  const asked = said.token_endpoint_auth_method ?? method;
  const flaws: FieldError[] = [
    ...(id === before.id ? [] : [{ path: '/client_id', message: 'must be its own' }]),
    ...(asked === method
      ? []
      : [{ path: '/token_endpoint_auth_method', message: 'cannot be changed' }]),
  ];
  requireFlawless(flaws, refuseFields(fail));
  const policy = {
    most: registration.scopes ?? undefined,
    mayWrite: false,
    resources,
    redirectHosts: registration.redirect_hosts ?? undefined,
    profile: profileOf(tenant, before),
  };
  const { is_active, first_party, id_token_claims, require_pkce } = before;
  const { profile, refresh_token_policy, identity_assertions } = before;
  const { authorization_details_types } = before;
  const read = readMetadata({ ...said, token_endpoint_auth_method: method }, policy, fail);
  const kept = { kind, is_active, first_party, id_token_claims, require_pkce };
  const set = { profile, refresh_token_policy, identity_assertions, authorization_details_types };
  const after = { ...read, ...kept, ...set };
  requireFlawless(flawsOf(after, policy.profile), refuseFields(fail));
  return after;
}

/** RFC 7592 §2.2: it cannot choose another one. */
export async function requireOwnSecret(
  tx: TenantTx,
  { client }: Own,
  { client_secret: secret }: ChangedMetadata,
  fail: RefuseMetadata,
): Promise<void> {
  if (secret === undefined || hasSecret(await findClientIn(tx, client.id), secret)) return;
  const errors = [{ path: '/client_secret', message: 'must be its own' }];
  fail('CLIENT_METADATA_INVALID', { errors });
}

/** Lists whose order says nothing. */
const SETS = [
  'redirect_uris',
  'post_logout_redirect_uris',
  'grant_types',
  'scopes',
  'contacts',
] as const;

/** Nothing is written where nothing changes. */
export async function change(
  tx: TenantTx,
  { client }: Own,
  fields: ClientFields,
  from: Origin,
): Promise<OAuthClientRecord> {
  const before = presentClient(client);
  const changed = changedFields(fields, before, SETS);
  if (isEmpty(changed)) return before;
  await replaceClient(tx, client.id, { ...fields });
  await record(tx, anonymous(from), {
    action: 'client.updated',
    target: { kind: 'client', id: client.id },
    details: { fields: Object.keys(changed), ...changed },
    events: [],
  });
  return { ...before, ...fields };
}
