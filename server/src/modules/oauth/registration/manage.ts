import type { Fail } from '@keywright/contract/errors';
import { type OAuthClientId, parseOAuthClientId } from '@keywright/contract/ids';
import type { ClientInformation } from '@keywright/contract/records/client-metadata';
import type { Origin } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { PresentedCredential } from '../../../tenancy/presented.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { anonymous } from '../../events/journal/index.ts';
import {
  algorithmsOf,
  endClient,
  findRegistration,
  flawsOfSector,
  lockClient,
  presentClient,
  requireFlawless,
  requireOAuth,
} from '../clients/index.ts';
import { change, type ChangedMetadata, fieldsAfter, requireOwnSecret } from './change.ts';
import { type RefuseMetadata, refuseFields, requireUsable } from './metadata.ts';
import { presentRegistration } from './present.ts';
import { MISSING, REJECTED, requireRoomToRegister } from './registrant.ts';
import type { RegistrationDependencies } from './register.ts';
import { managesWith } from './secrets.ts';

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
