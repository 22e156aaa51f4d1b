import { scopeChallenge } from '@keywright/contract/assurance';
import { type Fail, AppError, type ErrorCode, type FieldError } from '@keywright/contract/errors';
import type { FailureOptions } from '@keywright/contract/failure-options';
import type {
  ClientInformation,
  ClientMetadata,
} from '@keywright/contract/records/client-metadata';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import type { ErrorsOf } from '@keywright/contract/route';
import { registerApplication } from '@keywright/contract/routes/registration';
import { isCommonPermission, missingScopes } from '@keywright/contract/scopes';
import type { Clock } from '../../../platform/clock.ts';
import { newOAuthClientId } from '../../../platform/crypto/ids.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import { type Origin, type Caller, hasLentPermissions } from '../../../tenancy/caller.ts';
import { issuerOf } from '../../../tenancy/directory.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { PresentedCredential } from '../../../tenancy/presented.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { requireRoomOfAddress } from '../../authentication/attempts/index.ts';
import type { BearerService } from '../../authentication/bearer/index.ts';
import { type Actor, anonymous } from '../../events/journal/index.ts';
import { requireHeld } from '../../identity/roles/index.ts';
import { requireGoodProofs } from '../../tokens/proofs/index.ts';
import type { PublishKeys } from '../../tokens/signing-keys/index.ts';
import {
  algorithmsOf,
  type ClientFields,
  type FetchSectorList,
  flawsOfSector,
  hasOpenRegistrations,
  hasSecrets,
  insertRegistration,
  keptUntil,
  lockRegistrations,
  newSecret,
  permissionsOf,
  presentClient,
  profileOf,
  requireFlawless,
  requireOAuth,
  writeClient,
  fieldsFrom,
  flawsOf,
  judgeScopes,
  requireCallable,
  returnsTo,
  type ScopePolicy,
  metadataOf as clientMetadataOf,
} from '../clients/index.ts';
import type { FindResources, KnownResources } from '../resources/index.ts';
import { useToken, findUsableToken, type TokenRow } from './registration-tokens-store.ts';
import {
  MANAGEMENT_TOKENS,
  looksLikeRegistrationToken,
  REGISTRATION_TOKENS,
} from './registration-tokens.ts';

export interface RegistrationDependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly egress: Egress;
  readonly baseUrl: () => string;
  readonly bearer: BearerService;
  readonly publishKeys: PublishKeys;
  readonly findResources: FindResources;
  readonly fetchSectorList: FetchSectorList;
}

interface Asked {
  readonly tenant: Tenant;
  readonly credential: PresentedCredential | undefined;
  readonly from: Origin;
  readonly metadata: ClientMetadata;
}

type Refuse = Fail<ErrorsOf<typeof registerApplication>>;

/** Registers an application that nobody knows yet (RFC 7591). Only this answer shows what it authenticates with. */
export async function register(
  dependencies: RegistrationDependencies,
  { tenant, credential, from, metadata }: Asked,
  fail: Refuse,
): Promise<ClientInformation> {
  const { gate, clock, egress, baseUrl, publishKeys, findResources } = dependencies;
  requireOAuth(tenant, fail);
  const registrant = await identifyRegistrant(dependencies, { tenant, credential, from }, fail);
  const allowed = policyOf(registrant, await findResources(tenant.id));
  const policy = { ...allowed, profile: profileOf(tenant, { profile: 'none' }) };
  const fields = readMetadata(metadata, policy, fail);
  requireUsable(egress, fields, fail);
  const { sector_identifier_uri: uri } = fields;
  const list = uri === null ? undefined : await dependencies.fetchSectorList(tenant.id, uri);
  await publishKeys(tenant.id, algorithmsOf(fields));
  const now = clock.now();
  const secret = hasSecrets(fields.token_endpoint_auth_method) ? newSecret(now) : undefined;
  const token = MANAGEMENT_TOKENS.mint();
  const row = await gate.into(tenant.id).transaction(async (tx) => {
    requireFlawless(flawsOfSector(fields, list), refuseFields(fail));
    await admit(tx, tenant, registrant, fields, fail);
    const id = newOAuthClientId(now);
    const by: Actor = registrant.kind === 'caller' ? registrant.caller : anonymous(from);
    const details = registrant.kind === 'token' && { registration_token_id: registrant.token.id };
    const client = {
      id,
      fields,
      secret,
      createdBy: 'registration',
      ...(details && { details }),
    } as const;
    const written = await writeClient(tx, by, client, fail);
    await insertRegistration(tx, id, {
      tokenHash: sha256(token),
      ...boundsOf(registrant, fields),
      keptUntil: registrant.kind === 'anybody' ? keptUntil(tx.now) : undefined,
    });
    return written;
  });
  return presentRegistration(presentClient(row), baseUrl(), {
    ...(secret && { client_secret: secret.text }),
    registration_access_token: token,
  });
}

function policyOf(
  registrant: Registrant,
  { all }: KnownResources,
): Omit<RegistrationPolicy, 'profile'> {
  const anything = { most: undefined, mayWrite: false, resources: all, redirectHosts: undefined };
  if (registrant.kind === 'anybody') return anything;
  if (registrant.kind === 'caller') return { ...anything, mayWrite: true };
  const { scopes, resources, redirect_hosts: hosts } = registrant.token;
  return {
    most: scopes ?? undefined,
    mayWrite: false,
    resources: resources ? all.filter(({ uri }) => resources.includes(uri)) : all,
    redirectHosts: hosts ?? undefined,
  };
}

/** What decides a race is decided here. */
async function admit(
  tx: TenantTx,
  { config }: Tenant,
  registrant: Registrant,
  { scopes }: ClientFields,
  fail: Refuse,
): Promise<void> {
  if (registrant.kind === 'token') {
    const isUsed = await useToken(tx, registrant.token.id);
    if (!isUsed) fail('REGISTRATION_TOKEN_INVALID', REJECTED);
  }
  if (registrant.kind === 'anybody') {
    await lockRegistrations(tx);
    const isFull = await hasOpenRegistrations(tx, config.oauth_max_registered_clients);
    if (isFull) fail('REGISTRATION_FULL');
  }
  if (registrant.kind === 'caller') {
    const message = 'asks for permissions that the caller does not hold';
    await requireHeld(tx, registrant.caller, permissionsOf(scopes), () =>
      fail('CLIENT_METADATA_INVALID', { errors: [{ path: '/scope', message }] }),
    );
  }
}

/** What it may change its registration to. Anybody may register what it could be anew. */
function boundsOf(registrant: Registrant, { scopes }: ClientFields) {
  if (registrant.kind === 'anybody') return {};
  if (registrant.kind === 'caller') return scopes.some(isCommonPermission) ? { scopes } : {};
  const { token } = registrant;
  const most = token.scopes ?? (token.resources ? scopes : undefined);
  return { scopes: most, redirectHosts: token.redirect_hosts ?? undefined };
}

/** Of an address that vouches with nothing, and for changes of what is registered. */
const LIMITS = { login_attempts_limit: 10, login_attempts_window: 60 };

/** RFC 6750 §3. */
export const MISSING: FailureOptions = { challenge: 'Bearer' };
export const REJECTED: FailureOptions = { challenge: 'Bearer error="invalid_token"' };
const INSUFFICIENT: FailureOptions = {
  detail: 'The token lacks: write:clients.',
  challenge: scopeChallenge(['write:clients']),
};

/** Who vouches for an application. */
type Registrant =
  | { readonly kind: 'anybody' }
  | { readonly kind: 'token'; readonly token: TokenRow }
  | { readonly kind: 'caller'; readonly caller: Caller };

interface PresentedRegistrant {
  readonly tenant: Tenant;
  readonly credential: PresentedCredential | undefined;
  readonly from: Origin;
}

interface RegistrantDependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly bearer: BearerService;
}

type RefuseRegistrant = Fail<
  'REGISTRATION_OFF' | 'REGISTRATION_TOKEN_INVALID' | 'SCOPE_REQUIRED' | 'TOO_MANY_ATTEMPTS'
>;

/** Who registers an application (RFC 7591 §3). */
async function identifyRegistrant(
  dependencies: RegistrantDependencies,
  { tenant, credential, from }: PresentedRegistrant,
  fail: RefuseRegistrant,
): Promise<Registrant> {
  const { oauth_registration: who } = tenant.config;
  if (who === 'off') return fail('REGISTRATION_OFF');
  if (!credential) {
    if (who !== 'open') return fail('REGISTRATION_TOKEN_INVALID', MISSING);
    await requireRoomToRegister(dependencies, tenant, from, fail);
    return { kind: 'anybody' };
  }
  if (looksLikeRegistrationToken(credential.token)) {
    const token = await findToken(dependencies.gate, tenant, credential.token);
    return token ? { kind: 'token', token } : fail('REGISTRATION_TOKEN_INVALID', REJECTED);
  }
  const caller = await findCaller(dependencies, { tenant, credential, from });
  if (!caller) return fail('REGISTRATION_TOKEN_INVALID', REJECTED);
  // Permissions that a user lent are for what they were lent for.
  const lacks = missingScopes(caller.scopes, ['write:clients']).length > 0;
  if (lacks || hasLentPermissions(caller)) fail('SCOPE_REQUIRED', INSUFFICIENT);
  return { kind: 'caller', caller };
}

/** Each writes an entry of the audit log, may call an address, and lets every node read the tenant's clients again. */
export async function requireRoomToRegister(
  dependencies: Pick<RegistrantDependencies, 'gate' | 'clock'>,
  tenant: Tenant,
  from: Origin,
  fail: Fail<'TOO_MANY_ATTEMPTS'>,
): Promise<void> {
  const limits = { counter: 'client registration' as const, limits: LIMITS };
  await requireRoomOfAddress(dependencies, tenant, from, limits, fail);
}

async function findToken(gate: Gate, { id }: Tenant, text: string): Promise<TokenRow | undefined> {
  const hash = REGISTRATION_TOKENS.hash(text);
  return hash && gate.into(id).transaction((tx) => findUsableToken(tx, hash));
}

const UNIDENTIFIED: readonly ErrorCode[] = ['TOKEN_INVALID', 'TENANT_MISMATCH'];

/** Whoever a credential identifies, as for any route; undefined if it is nobody. */
async function findCaller(
  { bearer }: Pick<RegistrantDependencies, 'bearer'>,
  { tenant, credential, from }: PresentedRegistrant & { readonly credential: PresentedCredential },
): Promise<Caller | undefined> {
  try {
    const { claimed, alive } = await bearer.authenticate(tenant, credential, from);
    return alive === undefined || (await alive) ? claimed : undefined;
  } catch (error) {
    if (error instanceof AppError && UNIDENTIFIED.includes(error.code)) return undefined;
    throw error;
  }
}

/** What an application may register for. */
interface RegistrationPolicy extends ScopePolicy {
  /** Where users may return to; undefined: anywhere. */
  readonly redirectHosts: readonly string[] | undefined;
  /** That holds for it. */
  readonly profile: ClientFields['profile'];
}

export type RefuseMetadata = Fail<'CLIENT_METADATA_INVALID' | 'REDIRECT_URI_INVALID'>;

/** Names of a record, where those of RFC 7591 differ. */
const NAMES: Readonly<Record<string, string>> = {
  name: 'client_name',
  scopes: 'scope',
  kind: 'application_type',
};

/** Flaws of a record, as RFC 7591 §3.2.2 names them. */
export function refuseFields(fail: RefuseMetadata): Fail<'VALIDATION_FAILED'> {
  return (_, { errors = [], ...options } = {}) => {
    const renamed = errors.map(({ path, message }): FieldError => {
      const [, name = '', ...rest] = path.split('/');
      return { path: ['', NAMES[name] ?? name, ...rest].join('/'), message };
    });
    const isRedirect = renamed.some(({ path }) => path.startsWith('/redirect_uris'));
    const code = isRedirect ? 'REDIRECT_URI_INVALID' : 'CLIENT_METADATA_INVALID';
    return fail(code, { ...options, errors: renamed });
  };
}

/** What an application would be registered as, apart from what only others can tell. */
export function readMetadata(
  metadata: ClientMetadata,
  policy: RegistrationPolicy,
  fail: RefuseMetadata,
): ClientFields {
  const { scope, response_types: _, first_party: __, ...said } = metadata;
  const asked = (scope ?? '').split(' ').filter(Boolean);
  const { scopes, refused } = judgeScopes(asked, said, policy);
  const fields = fieldsFrom(
    {
      ...said,
      token_endpoint_auth_method: said.token_endpoint_auth_method ?? usualMethod(said, policy),
    },
    scopes,
    policy.profile,
  );
  const flaws =
    refused.length > 0 ? [{ path: '/scopes', message: 'asks for more than is allowed' }] : [];
  return requireAllowed(fields, policy, flaws, refuseFields(fail));
}

/** RFC 7591 §2, except of what runs on a device, where a secret is only for whoever asks for one. */
function usualMethod(
  { application_type: type }: Pick<ClientMetadata, 'application_type'>,
  { profile }: RegistrationPolicy,
) {
  if (profile === 'fapi2') return 'private_key_jwt';
  return type === 'native' ? 'none' : 'client_secret_basic';
}

function requireAllowed(
  fields: ClientFields,
  { redirectHosts, profile }: RegistrationPolicy,
  flaws: readonly FieldError[],
  fail: Fail<'VALIDATION_FAILED'>,
): ClientFields {
  const message = 'is at a host that is not allowed';
  const isElsewhere = (uri: string | null) =>
    uri !== null && redirectHosts !== undefined && !returnsTo(uri, redirectHosts);
  const elsewhere = fields.redirect_uris.flatMap((uri, index): FieldError[] =>
    isElsewhere(uri) ? [{ path: `/redirect_uris/${index}`, message }] : [],
  );
  if (isElsewhere(fields.initiate_login_uri)) {
    elsewhere.push({ path: '/initiate_login_uri', message });
  }
  const errors = [...flaws, ...flawsOf(fields, profile), ...elsewhere];
  if (errors.length > 0) fail('VALIDATION_FAILED', { errors });
  return fields;
}

/** Also as far as the service would call it. */
export function requireUsable(egress: Egress, fields: ClientFields, fail: RefuseMetadata): void {
  requireCallable(egress, fields, refuseFields(fail));
  requireGoodProofs(fields, egress, refuseFields(fail));
}

/** What is shown once. */
interface Shown {
  readonly client_secret?: string;
  readonly registration_access_token?: string;
}

export function presentRegistration(
  client: OAuthClientRecord,
  baseUrl: string,
  shown: Shown = {},
): ClientInformation {
  const { id, tenant_id: tenantId, created_at: createdAt } = client;
  const here = `${issuerOf(tenantId, baseUrl)}${registerApplication.path}`;
  return {
    client_id: id,
    client_id_issued_at: Math.floor(new Date(createdAt).getTime() / 1000),
    ...(hasSecrets(client.token_endpoint_auth_method) && { client_secret_expires_at: 0 as const }),
    ...shown,
    registration_client_uri: `${here}/${encodeURIComponent(id)}`,
    ...clientMetadataOf(client),
  };
}
