import { timingSafeEqual } from 'node:crypto';
import type { Fail } from '@keywright/contract/errors';
import { parseRegistrationTokenId, type RegistrationTokenId } from '@keywright/contract/ids';
import {
  type CreatedRegistrationToken,
  MANAGEMENT_TOKEN_PREFIX,
  REGISTRATION_TOKEN_PREFIX,
} from '@keywright/contract/records/registration-token';
import type { BodyOf, QueryOf } from '@keywright/contract/route';
import type {
  createRegistrationToken,
  listRegistrationTokens,
} from '@keywright/contract/routes/registration-tokens';
import type { Clock } from '../../../platform/clock.ts';
import { checkedSecrets } from '../../../platform/crypto/checked-secrets.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import { newRegistrationTokenId } from '../../../platform/crypto/ids.ts';
import { listed, readPage } from '../../../platform/db/page.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import { once, type RepeatableRequest } from '../../../tenancy/idempotency.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { record } from '../../events/journal/index.ts';
import { requireHoldings } from '../../identity/roles/index.ts';
import { permissionsOf, requireExistingScopes } from '../clients/index.ts';
import {
  countTokens,
  deleteToken,
  findTokenPage,
  insertToken,
  presentToken,
} from './registration-tokens-store.ts';

/** Tokens that authorize clients to register. */
export const REGISTRATION_TOKENS = checkedSecrets(REGISTRATION_TOKEN_PREFIX);

/** Tokens that authorize clients to manage their own registration. */
export const MANAGEMENT_TOKENS = checkedSecrets(MANAGEMENT_TOKEN_PREFIX);

const NO_HASH = Buffer.alloc(32);

/**
 * Whether this is the management token of the registration. The check takes equally long for an unknown registration
 * and a wrong token.
 */
export function isManagementToken(token: string, hash: Buffer | null | undefined): boolean {
  const isEqual = timingSafeEqual(
    hash ?? NO_HASH,
    MANAGEMENT_TOKENS.hashIfWellFormed(token) ?? sha256(token),
  );
  return isEqual && hash !== null && hash !== undefined;
}

export const MOST_TOKENS = 1000;
const WEEK_SECONDS = 604_800;

/** Manages registration tokens, for administrators. */
export class RegistrationTokenService {
  readonly #gate: Gate;
  readonly #clock: Clock;

  constructor(gate: Gate, clock: Clock) {
    this.#gate = gate;
    this.#clock = clock;
  }

  async list(
    { id }: Tenant,
    query: QueryOf<typeof listRegistrationTokens>,
    fail: Fail<'VALIDATION_FAILED'>,
  ) {
    const order = query.sort ?? '-created_at';
    const page = readPage([id, 'registration tokens'], query, order, fail);
    const [rows, total] = await this.#gate
      .into(id)
      .transaction(async (tx) => [await findTokenPage(tx, page), await countTokens(tx)] as const);
    return listed(page, rows, total, (row) => row.created_at.toISOString(), presentToken);
  }

  /** Only this response contains the token: the response to a retry omits it. */
  async create(
    tenant: Tenant,
    {
      caller,
      repeatable,
    }: { readonly caller: Caller; readonly repeatable: RepeatableRequest | undefined },
    body: BodyOf<typeof createRegistrationToken>,
    fail: Fail<'VALIDATION_FAILED' | 'SCOPE_NOT_HELD' | 'TOO_MANY_REGISTRATION_TOKENS'>,
  ): Promise<CreatedRegistrationToken> {
    const { name, uses = 1, ttl = WEEK_SECONDS, scopes = null, resources = null } = body;
    const { redirect_hosts: redirectHosts = null } = body;
    const text = REGISTRATION_TOKENS.mint();
    const id = newRegistrationTokenId(this.#clock.now());
    const created = await once(this.#gate.into(tenant.id), repeatable, async (tx) => {
      // Otherwise the consent pages of clients would request permissions, in the tenant's name, that the caller
      // lacks.
      await requireHoldings(tx, caller, permissionsOf(scopes ?? []), fail);
      await requireExistingScopes(tx, scopes ?? [], fail);
      if ((await countTokens(tx)) >= MOST_TOKENS) fail('TOO_MANY_REGISTRATION_TOKENS');
      const expiresAt = new Date(tx.now.getTime() + ttl * 1000);
      const limits = { scopes, resources, redirectHosts };
      const token = { id, name, uses, hash: sha256(text), expiresAt, ...limits };
      const row = await insertToken(tx, token);
      await recordToken(tx, caller, 'registration_token.created', id, {
        name,
        uses,
        scopes,
        resources,
        redirect_hosts: redirectHosts,
      });
      return presentToken(row);
    });
    return created.id === id ? { ...created, registration_token: text } : created;
  }

  remove(
    tenant: Tenant,
    caller: Caller,
    text: string,
    fail: Fail<'NOT_FOUND'>,
  ): Promise<RegistrationTokenId> {
    return this.#gate.into(tenant.id).transaction(async (tx) => {
      const id = parseRegistrationTokenId(text) ?? fail('NOT_FOUND');
      const name = (await deleteToken(tx, id)) ?? fail('NOT_FOUND');
      await recordToken(tx, caller, 'registration_token.deleted', id, { name });
      return id;
    });
  }
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
