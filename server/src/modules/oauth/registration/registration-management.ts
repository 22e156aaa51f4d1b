import type { Fail, FieldError } from '@keywright/contract/errors';
import { type OAuthClientId, parseOAuthClientId } from '@keywright/contract/ids';
import type { ClientInformation } from '@keywright/contract/records/client-metadata';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import type { BodyOf } from '@keywright/contract/route';
import type { changeRegistration } from '@keywright/contract/routes/registration';
import { changedFields, isEmpty } from '../../../platform/patch.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { PresentedCredential } from '../../../tenancy/presented.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { anonymous, record } from '../../events/journal/index.ts';
import {
  algorithmsOf,
  endClient,
  findRegistration,
  flawsOfSector,
  lockClient,
  presentClient,
  requireFlawless,
  requireOAuth,
  type ClientFields,
  type ClientRow,
  findClientIn,
  flawsOf,
  hasSecret,
  profileOf,
  replaceClient,
} from '../clients/index.ts';
import type { Resource } from '../resources/index.ts';
import {
  type RefuseMetadata,
  refuseFields,
  requireUsable,
  presentRegistration,
  MISSING,
  REJECTED,
  requireRoomToRegister,
  type RegistrationDependencies,
  readMetadata,
} from './registration-service.ts';
import { managesWith } from './registration-tokens.ts';

interface Asked {
  readonly tenant: Tenant;
  readonly clientId: string;
  readonly credential: PresentedCredential | undefined;
  readonly from: Origin;
}

type Refuse = Fail<'REGISTRATION_TOKEN_INVALID' | 'OAUTH_OFF'>;

/** The registration of the application that has its token, locked until the commit. */
async function requireOwn(tx: TenantTx, { clientId, credential }: Asked, fail: Refuse) {
  if (!credential) return fail('REGISTRATION_TOKEN_INVALID', MISSING);
  const id = parseOAuthClientId(clientId);
  const registration = await findRegistration(tx, id ?? NOBODY);
  // RFC 7592 §3: the same for one that is unknown.
  if (!managesWith(registration?.token_hash, credential.token) || !registration) {
    return fail('REGISTRATION_TOKEN_INVALID', REJECTED);
  }
  const client = await lockClient(tx, id ?? NOBODY);
  return client ? { client, registration } : fail('REGISTRATION_TOKEN_INVALID', REJECTED);
}

const NOBODY = '' as OAuthClientId;

/** RFC 7592 §2.1. */
export async function readRegistration(
  { gate, baseUrl }: RegistrationDependencies,
  asked: Asked,
  fail: Refuse,
): Promise<ClientInformation> {
  requireOAuth(asked.tenant, fail);
  const { client } = await gate
    .into(asked.tenant.id)
    .transaction((tx) => requireOwn(tx, asked, fail));
  return presentRegistration(presentClient(client), baseUrl());
}

/** RFC 7592 §2.3. */
export async function deleteRegistration(
  { gate }: RegistrationDependencies,
  asked: Asked,
  fail: Refuse,
): Promise<void> {
  requireOAuth(asked.tenant, fail);
  await gate.into(asked.tenant.id).transaction(async (tx) => {
    const { client } = await requireOwn(tx, asked, fail);
    await endClient(tx, anonymous(asked.from), client);
  });
}

/** RFC 7592 §2.2: what is left out gets its default. */
export async function updateRegistration(
  dependencies: RegistrationDependencies,
  asked: Asked,
  metadata: ChangedMetadata,
  fail: Refuse & RefuseMetadata & Fail<'TOO_MANY_ATTEMPTS'>,
): Promise<ClientInformation> {
  const { tenant, from } = asked;
  const { gate, egress, publishKeys, baseUrl } = dependencies;
  requireOAuth(tenant, fail);
  const data = gate.into(tenant.id);
  // Nothing is called for whoever has no token.
  const before = await data.transaction((tx) => requireOwn(tx, asked, fail));
  await requireRoomToRegister(dependencies, tenant, from, fail);
  const { all: resources } = await dependencies.findResources(tenant.id);
  const fields = fieldsAfter(before, metadata, { tenant, resources }, fail);
  requireUsable(egress, fields, fail);
  const { sector_identifier_uri: uri } = fields;
  const list = uri === null ? undefined : await dependencies.fetchSectorList(tenant.id, uri);
  requireFlawless(flawsOfSector(fields, list), refuseFields(fail));
  await publishKeys(tenant.id, algorithmsOf(fields));
  const row = await data.transaction(async (tx) => {
    const own = await requireOwn(tx, asked, fail);
    await requireOwnSecret(tx, own, metadata, fail);
    return change(tx, own, fieldsAfter(own, metadata, { tenant, resources }, fail), from);
  });
  return presentRegistration(row, baseUrl());
}

type ChangedMetadata = BodyOf<typeof changeRegistration>;

/** A registration, and the client that it is of. */
interface Own {
  readonly client: ClientRow;
  readonly registration: NonNullable<Awaited<ReturnType<typeof findRegistration>>>;
}

/** What a change is judged by, beside the client. */
interface Around {
  readonly tenant: Tenant;
  readonly resources: readonly Resource[];
}

/** What an application is after its change. What it is and how it authenticates stays, and what only administrators set. */
function fieldsAfter(
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
async function requireOwnSecret(
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
async function change(
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
