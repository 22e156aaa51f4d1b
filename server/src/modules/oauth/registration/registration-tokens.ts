import { timingSafeEqual } from 'node:crypto';
import type { Fail } from '@keywright/contract/errors';
import { parseRegistrationTokenId, type RegistrationTokenId } from '@keywright/contract/ids';
import {
  MANAGEMENT_TOKEN_PREFIX,
  REGISTRATION_TOKEN_PREFIX,
  type CreatedRegistrationToken,
  type RegistrationTokenRecord,
} from '@keywright/contract/records/registration-token';
import type { BodyOf, QueryOf } from '@keywright/contract/route';
import type {
  createRegistrationToken,
  listRegistrationTokens,
} from '@keywright/contract/routes/registration-tokens';
import { checkedSecrets } from '../../../platform/crypto/checked-secret.ts';
import { newRegistrationTokenId } from '../../../platform/crypto/ids.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import { listed, readPage } from '../../../platform/db/page.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import { once, type RepeatableRequest } from '../../../tenancy/idempotency.ts';
import { record } from '../../events/journal/index.ts';
import { requireHeld } from '../../identity/roles/index.ts';
import { permissionsOf, requireKnown } from '../clients/index.ts';
import {
  countTokens,
  deleteToken,
  findTokenPage,
  insertToken,
  type TokenRow,
} from './registration-tokens-store.ts';

/** What somebody registers applications with. */
export const REGISTRATION_TOKENS = checkedSecrets(REGISTRATION_TOKEN_PREFIX);

/** What an application manages its own registration with. */
export const MANAGEMENT_TOKENS = checkedSecrets(MANAGEMENT_TOKEN_PREFIX);

export function looksLikeRegistrationToken(text: string): boolean {
  return text.startsWith(REGISTRATION_TOKEN_PREFIX);
}

const NOBODYS = Buffer.alloc(32);

/** Whether a token is that of a registration. An unknown registration takes as long as a wrong token. */
export function managesWith(hash: Buffer | null | undefined, token: string): boolean {
  const isEqual = timingSafeEqual(hash ?? NOBODYS, MANAGEMENT_TOKENS.hash(token) ?? sha256(token));
  return isEqual && hash !== null && hash !== undefined;
}

const MOST_TOKENS = 1000;
const WEEK_SECONDS = 604_800;

export async function listTokens(
  tenant: TenantData,
  query: QueryOf<typeof listRegistrationTokens>,
  fail: Fail<'VALIDATION_FAILED'>,
) {
  const order = query.sort ?? '-created_at';
  const page = readPage([tenant.tenantId, 'registration tokens'], query, order, fail);
  const [rows, total] = await tenant.transaction(
    async (tx) => [await findTokenPage(tx, page), await countTokens(tx)] as const,
  );
  return listed(page, rows, total, (row) => row.created_at.toISOString(), presentToken);
}

interface Request {
  readonly caller: Caller;
  readonly now: Date;
  readonly repeatable: RepeatableRequest | undefined;
}

/** Only this answer shows it; a repeated request does not. */
export async function createToken(
  tenant: TenantData,
  { caller, now, repeatable }: Request,
  asked: BodyOf<typeof createRegistrationToken>,
  fail: Fail<'VALIDATION_FAILED' | 'SCOPE_NOT_HELD' | 'TOO_MANY_REGISTRATION_TOKENS'>,
): Promise<CreatedRegistrationToken> {
  const { name, uses = 1, ttl = WEEK_SECONDS, scopes = null, resources = null } = asked;
  const { redirect_hosts: redirectHosts = null } = asked;
  const text = REGISTRATION_TOKENS.mint();
  const id = newRegistrationTokenId(now);
  const made = await once(tenant, repeatable, async (tx) => {
    // Applications would ask users for permissions that the caller lacks, in the tenant's name.
    await requireHeld(tx, caller, permissionsOf(scopes ?? []), fail);
    await requireKnown(tx, scopes ?? [], fail);
    if ((await countTokens(tx)) >= MOST_TOKENS) fail('TOO_MANY_REGISTRATION_TOKENS');
    const expiresAt = new Date(tx.now.getTime() + ttl * 1000);
    const policy = { scopes, resources, redirectHosts };
    const row = await insertToken(tx, { id, name, uses, hash: sha256(text), expiresAt, ...policy });
    await recordToken(tx, caller, 'registration_token.created', id, {
      name,
      uses,
      scopes,
      resources,
      redirect_hosts: redirectHosts,
    });
    return presentToken(row);
  });
  return made.id === id ? { ...made, registration_token: text } : made;
}

export function removeToken(
  tenant: TenantData,
  caller: Caller,
  text: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<RegistrationTokenId> {
  return tenant.transaction(async (tx) => {
    const id = parseRegistrationTokenId(text) ?? fail('NOT_FOUND');
    const name = (await deleteToken(tx, id)) ?? fail('NOT_FOUND');
    await recordToken(tx, caller, 'registration_token.deleted', id, { name });
    return id;
  });
}

function recordToken(
  tx: TenantTx,
  caller: Caller,
  action: 'registration_token.created' | 'registration_token.deleted',
  id: RegistrationTokenId,
  details: Readonly<Record<string, string | number | readonly string[] | null>>,
): Promise<void> {
  return record(tx, caller, {
    action,
    target: { kind: 'registration_token', id },
    details,
    events: [],
  });
}

function presentToken(row: TokenRow): RegistrationTokenRecord {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    name: row.name,
    uses: row.uses,
    expires_at: row.expires_at.toISOString(),
    scopes: row.scopes,
    resources: row.resources,
    redirect_hosts: row.redirect_hosts,
    created_at: row.created_at.toISOString(),
  };
}
