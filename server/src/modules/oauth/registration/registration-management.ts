import type { Fail, FieldError } from '@keywright/contract/errors';
import { type OAuthClientId, parseOAuthClientId } from '@keywright/contract/ids';
import type { ClientInformation } from '@keywright/contract/records/client-metadata';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import type { BodyOf } from '@keywright/contract/route';
import type { changeRegistration } from '@keywright/contract/routes/registration';
import { changedFields, isEmpty } from '../../../platform/patch.ts';
import type { Origin, PresentedCredential } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { anonymous, record } from '../../events/journal/index.ts';
import type { ApplicationKeys } from '../../tokens/signing-keys/index.ts';
import {
  algorithmsOf,
  type ClientFields,
  type ClientRow,
  endClient,
  findClientIn,
  findRegistration,
  flawsOf,
  flawsOfSector,
  hasSecret,
  lockClient,
  presentClient,
  profileOf,
  replaceClient,
  requireFlawless,
  requireOAuth,
  type SectorLists,
} from '../clients/index.ts';
import type { Resource, ResourceDirectory } from '../resources/index.ts';
import {
  type RefuseMetadata,
  TOKEN_MISSING,
  TOKEN_REJECTED,
  presentRegistration,
  readMetadata,
  requireReachable,
  requireRoomToRegister,
  toMetadataErrors,
} from './registration-service.ts';
import { isManagementToken } from './registration-tokens.ts';

/** A client's request for its own registration. */
interface ManagementRequest {
  readonly tenant: Tenant;
  readonly clientId: string;
  readonly credential: PresentedCredential | undefined;
  readonly from: Origin;
}

type ChangedMetadata = BodyOf<typeof changeRegistration>;

type RefuseManagement = Fail<'REGISTRATION_TOKEN_INVALID' | 'OAUTH_OFF'>;

/** Lists that are compared as sets. */
const SETS = [
  'redirect_uris',
  'post_logout_redirect_uris',
  'grant_types',
  'scopes',
  'contacts',
] as const;

/** Lets clients manage their own registration (RFC 7592). */
export class RegistrationManagement {
  readonly #core: Core;
  readonly #applicationKeys: ApplicationKeys;
  readonly #resources: ResourceDirectory;
  readonly #sectorLists: SectorLists;

  constructor(
    core: Core,
    applicationKeys: ApplicationKeys,
    resources: ResourceDirectory,
    sectorLists: SectorLists,
  ) {
    this.#core = core;
    this.#applicationKeys = applicationKeys;
    this.#resources = resources;
    this.#sectorLists = sectorLists;
  }

  /** RFC 7592 §2.1. */
  async read(request: ManagementRequest, fail: RefuseManagement): Promise<ClientInformation> {
    requireOAuth(request.tenant, fail);
    const { client } = await this.#core.gate
      .into(request.tenant.id)
      .transaction((tx) => requireRegistration(tx, request, fail));
    return presentRegistration(presentClient(client), this.#core.baseUrl());
  }

  /** RFC 7592 §2.2: a field that the request omits is reset to its default. */
  async replace(
    request: ManagementRequest,
    metadata: ChangedMetadata,
    fail: RefuseManagement & RefuseMetadata & Fail<'TOO_MANY_ATTEMPTS'>,
  ): Promise<ClientInformation> {
    const { tenant, from } = request;
    const { gate, egress, baseUrl } = this.#core;
    requireOAuth(tenant, fail);
    const data = gate.into(tenant.id);
    // Before any address is called, so that a request without the token calls none.
    const before = await data.transaction((tx) => requireRegistration(tx, request, fail));
    await requireRoomToRegister(this.#core, tenant, from, fail);
    const { all: resources } = await this.#resources.of(tenant.id);
    const fields = fieldsAfter(before, metadata, tenant, resources, fail);
    requireReachable(egress, fields, fail);
    const { sector_identifier_uri: uri } = fields;
    const list = uri === null ? undefined : await this.#sectorLists.fetch(tenant.id, uri);
    requireFlawless(flawsOfSector(fields, list), toMetadataErrors(fail));
    await this.#applicationKeys.publish(tenant.id, algorithmsOf(fields));
    const row = await data.transaction(async (tx) => {
      const current = await requireRegistration(tx, request, fail);
      await requireSameSecret(tx, current, metadata, fail);
      const after = fieldsAfter(current, metadata, tenant, resources, fail);
      return replaceFields(tx, current, after, from);
    });
    return presentRegistration(row, baseUrl());
  }

  /** RFC 7592 §2.3. */
  async remove(request: ManagementRequest, fail: RefuseManagement): Promise<void> {
    requireOAuth(request.tenant, fail);
    await this.#core.gate.into(request.tenant.id).transaction(async (tx) => {
      const { client } = await requireRegistration(tx, request, fail);
      await endClient(tx, anonymous(request.from), client);
    });
  }
}

/** A registration with its client. */
interface RegisteredClient {
  readonly client: ClientRow;
  readonly registration: NonNullable<Awaited<ReturnType<typeof findRegistration>>>;
}

/** Replaces a malformed ID in the lookup. */
const NO_CLIENT = '' as OAuthClientId;

/** Returns the registration to which the management token belongs, with its client locked until the commit. */
async function requireRegistration(
  tx: TenantTx,
  { clientId, credential }: ManagementRequest,
  fail: RefuseManagement,
): Promise<RegisteredClient> {
  if (!credential) return fail('REGISTRATION_TOKEN_INVALID', TOKEN_MISSING);
  const id = parseOAuthClientId(clientId) ?? NO_CLIENT;
  const registration = await findRegistration(tx, id);
  // RFC 7592 §3: an unknown client gets the same response.
  if (!isManagementToken(credential.token, registration?.token_hash) || !registration) {
    return fail('REGISTRATION_TOKEN_INVALID', TOKEN_REJECTED);
  }
  const client = await lockClient(tx, id);
  return client ? { client, registration } : fail('REGISTRATION_TOKEN_INVALID', TOKEN_REJECTED);
}

/**
 * Returns the fields after a change. The kind, the authentication method and the settings of administrators do not
 * change.
 */
function fieldsAfter(
  { client, registration }: RegisteredClient,
  changed: ChangedMetadata,
  tenant: Tenant,
  resources: readonly Resource[],
  fail: RefuseMetadata,
): ClientFields {
  const { client_id: id, client_secret: _, ...metadata } = changed;
  const before = presentClient(client);
  const { kind, token_endpoint_auth_method: method } = before;
  const requested = metadata.token_endpoint_auth_method ?? method;
  const flaws: FieldError[] = [
    ...(id === before.id ? [] : [{ path: '/client_id', message: 'must be the ID of this client' }]),
    ...(requested === method
      ? []
      : [{ path: '/token_endpoint_auth_method', message: 'cannot be changed' }]),
  ];
  requireFlawless(flaws, toMetadataErrors(fail));
  const policy = {
    most: registration.scopes ?? undefined,
    mayWrite: false,
    resources,
    redirectHosts: registration.redirect_hosts ?? undefined,
    profile: profileOf(tenant, before),
  };
  const after = {
    ...readMetadata({ ...metadata, token_endpoint_auth_method: method }, policy, fail),
    kind,
    is_active: before.is_active,
    first_party: before.first_party,
    id_token_claims: before.id_token_claims,
    require_pkce: before.require_pkce,
    profile: before.profile,
    refresh_token_policy: before.refresh_token_policy,
    identity_assertions: before.identity_assertions,
    authorization_details_types: before.authorization_details_types,
  };
  requireFlawless(flawsOf(after, policy.profile), toMetadataErrors(fail));
  return after;
}

/** RFC 7592 §2.2: a client cannot choose its secret. */
async function requireSameSecret(
  tx: TenantTx,
  { client }: RegisteredClient,
  { client_secret: secret }: ChangedMetadata,
  fail: RefuseMetadata,
): Promise<void> {
  if (secret === undefined || hasSecret(await findClientIn(tx, client.id), secret)) return;
  const errors = [{ path: '/client_secret', message: 'must be the secret of this client' }];
  fail('CLIENT_METADATA_INVALID', { errors });
}

/** Replaces the fields of a client. Writes nothing if they are equal. */
async function replaceFields(
  tx: TenantTx,
  { client }: RegisteredClient,
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
