import type { Fail } from '@keywright/contract/errors';
import { isCommonPermission } from '@keywright/contract/scopes';
import type {
  ClientInformation,
  ClientMetadata,
} from '@keywright/contract/records/client-metadata';
import type { ErrorsOf } from '@keywright/contract/route';
import type { registerApplication } from '@keywright/contract/routes/registration';
import type { Clock } from '../../../platform/clock.ts';
import { newOAuthClientId } from '../../../platform/crypto/ids.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { Authenticate } from '../../../tenancy/authorization.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { PresentedCredential } from '../../../tenancy/presented.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Actor, anonymous } from '../../events/journal/index.ts';
import { requireHeld } from '../../identity/roles/index.ts';
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
} from '../clients/index.ts';
import type { FindResources, KnownResources } from '../resources/index.ts';
import { readMetadata, type RegistrationPolicy, refuseFields, requireUsable } from './metadata.ts';
import { presentRegistration } from './present.ts';
import { identifyRegistrant, type Registrant, REJECTED } from './registrant.ts';
import { MANAGEMENT_TOKENS } from './secrets.ts';
import { useToken } from './tokens-store.ts';

export interface RegistrationDependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly egress: Egress;
  readonly baseUrl: () => string;
  readonly authenticate: Authenticate;
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
