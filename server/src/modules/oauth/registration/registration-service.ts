import { scopeChallenge } from '@keywright/contract/assurance';
import { AppError, type ErrorCode, type Fail, type FieldError } from '@keywright/contract/errors';
import type { FailureOptions } from '@keywright/contract/failure-options';
import type {
  ClientInformation,
  ClientMetadata,
} from '@keywright/contract/records/client-metadata';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import { REGISTRATION_TOKEN_PREFIX } from '@keywright/contract/records/registration-token';
import type { ErrorsOf } from '@keywright/contract/route';
import { registerApplication } from '@keywright/contract/routes/registration';
import { isCommonPermission, missingScopes } from '@keywright/contract/scopes';
import { newOAuthClientId } from '../../../platform/crypto/ids.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import {
  type Caller,
  type Origin,
  type PresentedCredential,
  hasLentPermissions,
} from '../../../tenancy/caller.ts';
import { issuerOf } from '../../../tenancy/directory.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { requireRoomOfAddress } from '../../authentication/attempts/index.ts';
import type { BearerService } from '../../authentication/bearer/index.ts';
import { type Actor, anonymous } from '../../events/journal/index.ts';
import { requireHoldings } from '../../identity/roles/index.ts';
import { requireGoodProofs } from '../../tokens/proofs/index.ts';
import type { ApplicationKeys } from '../../tokens/signing-keys/index.ts';
import {
  type ClientFields,
  type ScopePolicy,
  type SectorLists,
  algorithmsOf,
  fieldsFrom,
  flawsOf,
  flawsOfSector,
  hasOpenRegistrations,
  hasSecrets,
  insertRegistration,
  isAtHost,
  judgeScopes,
  lockRegistrations,
  metadataOf as clientMetadataOf,
  newSecret,
  permissionsOf,
  presentClient,
  profileOf,
  requireCallable,
  requireFlawless,
  requireOAuth,
  unusedUntil,
  writeClient,
} from '../clients/index.ts';
import type { ResourceDirectory, TenantResources } from '../resources/index.ts';
import { type TokenRow, findUsableToken, spendToken } from './registration-tokens-store.ts';
import { MANAGEMENT_TOKENS, REGISTRATION_TOKENS } from './registration-tokens.ts';

interface Registration {
  readonly tenant: Tenant;
  readonly credential: PresentedCredential | undefined;
  readonly from: Origin;
}

/** The party that vouches for a client. */
type Registrant =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'token'; readonly token: TokenRow }
  | { readonly kind: 'caller'; readonly caller: Caller };

type RefuseRegistration = Fail<ErrorsOf<typeof registerApplication>>;

const SCOPE_INSUFFICIENT: FailureOptions = {
  detail: 'The token lacks: write:clients.',
  challenge: scopeChallenge(['write:clients']),
};

/** Registers clients that administrators did not create (RFC 7591). */
export class RegistrationService {
  readonly #core: Core;
  readonly #bearer: BearerService;
  readonly #applicationKeys: ApplicationKeys;
  readonly #resources: ResourceDirectory;
  readonly #sectorLists: SectorLists;

  constructor(
    core: Core,
    bearer: BearerService,
    applicationKeys: ApplicationKeys,
    resources: ResourceDirectory,
    sectorLists: SectorLists,
  ) {
    this.#core = core;
    this.#bearer = bearer;
    this.#applicationKeys = applicationKeys;
    this.#resources = resources;
    this.#sectorLists = sectorLists;
  }

  /** Registers a client. Only this response contains its secret and its management token. */
  async register(
    request: Registration,
    metadata: ClientMetadata,
    fail: RefuseRegistration,
  ): Promise<ClientInformation> {
    const { tenant, from } = request;
    const { gate, clock, egress, baseUrl } = this.#core;
    requireOAuth(tenant, fail);
    const registrant = await this.#identify(request, fail);
    const policy = policyOf(registrant, tenant, await this.#resources.of(tenant.id));
    const fields = readMetadata(metadata, policy, fail);
    requireReachable(egress, fields, fail);
    const { sector_identifier_uri: uri } = fields;
    const list = uri === null ? undefined : await this.#sectorLists.fetch(tenant.id, uri);
    await this.#applicationKeys.publish(tenant.id, algorithmsOf(fields));
    const now = clock.now();
    const secret = hasSecrets(fields.token_endpoint_auth_method) ? newSecret(now) : undefined;
    const token = MANAGEMENT_TOKENS.mint();
    const row = await gate.into(tenant.id).transaction(async (tx) => {
      requireFlawless(flawsOfSector(fields, list), toMetadataErrors(fail));
      await admit(tx, tenant, registrant, fields, fail);
      const id = newOAuthClientId(now);
      const details = registrant.kind === 'token' && { registration_token_id: registrant.token.id };
      const client = {
        id,
        fields,
        secret,
        createdBy: 'registration',
        ...(details && { details }),
      } as const;
      const written = await writeClient(tx, actorOf(registrant, from), client, fail);
      await insertRegistration(tx, id, {
        tokenHash: sha256(token),
        ...boundsOf(registrant, fields),
        retainedUntil: registrant.kind === 'anonymous' ? unusedUntil(tx.now) : undefined,
      });
      return written;
    });
    return presentRegistration(presentClient(row), baseUrl(), {
      ...(secret && { client_secret: secret.text }),
      registration_access_token: token,
    });
  }

  /** Identifies the registrant by the credential (RFC 7591 §3). */
  async #identify(
    { tenant, credential, from }: Registration,
    fail: RefuseRegistration,
  ): Promise<Registrant> {
    const { oauth_registration: setting } = tenant.config;
    if (setting === 'off') return fail('REGISTRATION_OFF');
    if (!credential) {
      if (setting !== 'open') return fail('REGISTRATION_TOKEN_INVALID', TOKEN_MISSING);
      await requireRoomToRegister(this.#core, tenant, from, fail);
      return { kind: 'anonymous' };
    }
    if (credential.token.startsWith(REGISTRATION_TOKEN_PREFIX)) {
      const hash = REGISTRATION_TOKENS.hashIfWellFormed(credential.token);
      const data = this.#core.gate.into(tenant.id);
      const token = hash && (await data.transaction((tx) => findUsableToken(tx, hash)));
      return token ? { kind: 'token', token } : fail('REGISTRATION_TOKEN_INVALID', TOKEN_REJECTED);
    }
    const caller = await this.#findCaller(tenant, credential, from);
    if (!caller) return fail('REGISTRATION_TOKEN_INVALID', TOKEN_REJECTED);
    // Permissions that a user delegated for another purpose do not extend to registering clients.
    const lacks = missingScopes(caller.scopes, ['write:clients']).length > 0;
    if (lacks || hasLentPermissions(caller)) fail('SCOPE_REQUIRED', SCOPE_INSUFFICIENT);
    return { kind: 'caller', caller };
  }

  /** Authenticates the caller as on any route; undefined if the credential is not valid. */
  async #findCaller(
    tenant: Tenant,
    credential: PresentedCredential,
    from: Origin,
  ): Promise<Caller | undefined> {
    try {
      const { claimed, alive } = await this.#bearer.authenticate(tenant, credential, from);
      return alive === undefined || (await alive) ? claimed : undefined;
    } catch (error) {
      if (error instanceof AppError && REJECTIONS.includes(error.code)) return undefined;
      throw error;
    }
  }
}

/** The limit on requests from one address that register without a token, or change a registration. */
export const LIMITS = { login_attempts_limit: 10, login_attempts_window: 60 };

/** Limits requests that write an audit entry, can call an address, and make every node reload the tenant's clients. */
export async function requireRoomToRegister(
  core: Core,
  tenant: Tenant,
  from: Origin,
  fail: Fail<'TOO_MANY_ATTEMPTS'>,
): Promise<void> {
  const limits = { counter: 'client registration' as const, limits: LIMITS };
  await requireRoomOfAddress(core, tenant, from, limits, fail);
}

const REJECTIONS: readonly ErrorCode[] = ['TOKEN_INVALID', 'TENANT_MISMATCH'];

function actorOf(registrant: Registrant, from: Origin): Actor {
  return registrant.kind === 'caller' ? registrant.caller : anonymous(from);
}

/** Returns the limits on what the registrant can register. */
function policyOf(
  registrant: Registrant,
  tenant: Tenant,
  { all }: TenantResources,
): RegistrationPolicy {
  const profile = profileOf(tenant, { profile: 'none' });
  const unlimited = {
    most: undefined,
    mayWrite: false,
    resources: all,
    redirectHosts: undefined,
    profile,
  };
  if (registrant.kind === 'anonymous') return unlimited;
  if (registrant.kind === 'caller') return { ...unlimited, mayWrite: true };
  const { scopes, resources, redirect_hosts: hosts } = registrant.token;
  return {
    ...unlimited,
    most: scopes ?? undefined,
    resources: resources ? all.filter(({ uri }) => resources.includes(uri)) : all,
    redirectHosts: hosts ?? undefined,
  };
}

/** Runs the checks that decide races: token uses, the number of clients, and the caller's permissions. */
async function admit(
  tx: TenantTx,
  { config }: Tenant,
  registrant: Registrant,
  { scopes }: ClientFields,
  fail: RefuseRegistration,
): Promise<void> {
  if (registrant.kind === 'token') {
    const isSpent = await spendToken(tx, registrant.token.id);
    if (!isSpent) fail('REGISTRATION_TOKEN_INVALID', TOKEN_REJECTED);
  }
  if (registrant.kind === 'anonymous') {
    await lockRegistrations(tx);
    const isFull = await hasOpenRegistrations(tx, config.oauth_max_registered_clients);
    if (isFull) fail('REGISTRATION_FULL');
  }
  if (registrant.kind === 'caller') {
    const message = 'requests permissions that the caller does not hold';
    await requireHoldings(tx, registrant.caller, permissionsOf(scopes), () =>
      fail('CLIENT_METADATA_INVALID', { errors: [{ path: '/scope', message }] }),
    );
  }
}

/**
 * Returns the limits on later changes of the registration. An anonymous client has none, since it could register
 * again.
 */
function boundsOf(registrant: Registrant, { scopes }: ClientFields) {
  if (registrant.kind === 'anonymous') return {};
  if (registrant.kind === 'caller') return scopes.some(isCommonPermission) ? { scopes } : {};
  const { token } = registrant;
  const most = token.scopes ?? (token.resources ? scopes : undefined);
  return { scopes: most, redirectHosts: token.redirect_hosts ?? undefined };
}

/** Limits on the metadata that a client can register. */
export interface RegistrationPolicy extends ScopePolicy {
  /** Hosts of redirect URIs; undefined: any. */
  readonly redirectHosts: readonly string[] | undefined;
  /** The profile that applies to the client. */
  readonly profile: ClientFields['profile'];
}

export type RefuseMetadata = Fail<'CLIENT_METADATA_INVALID' | 'REDIRECT_URI_INVALID'>;

/** RFC 6750 §3. */
export const TOKEN_MISSING: FailureOptions = { challenge: 'Bearer' };
export const TOKEN_REJECTED: FailureOptions = { challenge: 'Bearer error="invalid_token"' };

/** The RFC 7591 names of fields whose names differ in the record. */
const METADATA_NAMES: Readonly<Record<string, string>> = {
  name: 'client_name',
  scopes: 'scope',
  kind: 'application_type',
};

/** Reports the flaws of a record under the names of RFC 7591 §3.2.2. */
export function toMetadataErrors(fail: RefuseMetadata): Fail<'VALIDATION_FAILED'> {
  return (_, { errors = [], ...options } = {}) => {
    const renamed = errors.map(({ path, message }): FieldError => {
      const [, name = '', ...rest] = path.split('/');
      return { path: ['', METADATA_NAMES[name] ?? name, ...rest].join('/'), message };
    });
    const isRedirect = renamed.some(({ path }) => path.startsWith('/redirect_uris'));
    const code = isRedirect ? 'REDIRECT_URI_INVALID' : 'CLIENT_METADATA_INVALID';
    return fail(code, { ...options, errors: renamed });
  };
}

/**
 * Validates the metadata and returns the fields of the client, without the checks that need the database or the
 * network.
 */
export function readMetadata(
  requested: ClientMetadata,
  policy: RegistrationPolicy,
  fail: RefuseMetadata,
): ClientFields {
  const { scope, response_types: _, first_party: __, ...metadata } = requested;
  const names = (scope ?? '').split(' ').filter(Boolean);
  const { scopes, refused } = judgeScopes(names, metadata, policy);
  const method = metadata.token_endpoint_auth_method ?? usualMethod(metadata, policy);
  const complete = { ...metadata, token_endpoint_auth_method: method };
  const fields = fieldsFrom(complete, scopes, policy.profile);
  const message = 'requests scopes that are not allowed';
  const errors = [
    ...(refused.length > 0 ? [{ path: '/scopes', message }] : []),
    ...flawsOf(fields, policy.profile),
    ...flawsOfHosts(fields, policy),
  ];
  if (errors.length > 0) toMetadataErrors(fail)('VALIDATION_FAILED', { errors });
  return fields;
}

/** RFC 7591 §2, except that native clients have a secret only if they request one. */
function usualMethod(
  { application_type: type }: Pick<ClientMetadata, 'application_type'>,
  { profile }: RegistrationPolicy,
) {
  if (profile === 'fapi2') return 'private_key_jwt';
  return type === 'native' ? 'none' : 'client_secret_basic';
}

function flawsOfHosts(
  { redirect_uris: uris, initiate_login_uri: loginUri }: ClientFields,
  { redirectHosts: hosts }: RegistrationPolicy,
): FieldError[] {
  if (hosts === undefined) return [];
  const message = 'has a host that is not allowed';
  const flaws = uris.flatMap((uri, index): FieldError[] =>
    isAtHost(uri, hosts) ? [] : [{ path: `/redirect_uris/${index}`, message }],
  );
  if (loginUri !== null && !isAtHost(loginUri, hosts)) {
    flaws.push({ path: '/initiate_login_uri', message });
  }
  return flaws;
}

/** Checks the addresses that the service would call. */
export function requireReachable(egress: Egress, fields: ClientFields, fail: RefuseMetadata): void {
  requireCallable(egress, fields, toMetadataErrors(fail));
  requireGoodProofs(fields, egress, toMetadataErrors(fail));
}

/** Secrets that are only in the response to the registration. */
interface IssuedSecrets {
  readonly client_secret?: string;
  readonly registration_access_token?: string;
}

export function presentRegistration(
  client: OAuthClientRecord,
  baseUrl: string,
  secrets: IssuedSecrets = {},
): ClientInformation {
  const { id, tenant_id: tenantId, created_at: createdAt } = client;
  const endpoint = `${issuerOf(tenantId, baseUrl)}${registerApplication.path}`;
  return {
    client_id: id,
    client_id_issued_at: Math.floor(new Date(createdAt).getTime() / 1000),
    ...(hasSecrets(client.token_endpoint_auth_method) && { client_secret_expires_at: 0 as const }),
    ...secrets,
    registration_client_uri: `${endpoint}/${encodeURIComponent(id)}`,
    ...clientMetadataOf(client),
  };
}
