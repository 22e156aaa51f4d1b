import type { RegistrationTokenId } from '@keywright/contract/ids';
import type { RegistrationTokenRecord } from '@keywright/contract/records/registration-token';
import { countUpToLimit, type Page, pageOf } from '../../../platform/db/page.ts';
import { deleteFrom, from, type TenantTx, update } from '../../../tenancy/gate.ts';

function tokens(tx: TenantTx) {
  return from(tx, 'registration_tokens');
}

function allOf(tx: TenantTx) {
  return tokens(tx).selectAll();
}

export type TokenRow = Awaited<ReturnType<ReturnType<typeof allOf>['execute']>>[number];

/** Returns a page, plus one row if there are more. */
export function findTokenPage(tx: TenantTx, page: Page): Promise<TokenRow[]> {
  return pageOf(allOf(tx), page).execute();
}

export function countTokens(tx: TenantTx): Promise<number> {
  return countUpToLimit(tx, tokens(tx).select('id'));
}

/** Returns a usable token by its hash. */
export function findUsableToken(tx: TenantTx, hash: Buffer): Promise<TokenRow | undefined> {
  return allOf(tx)
    .where('token_hash', '=', hash)
    .where('uses', '>', 0)
    .where('expires_at', '>', tx.now)
    .executeTakeFirst();
}

/** Uses a token once. @returns false if no use is left, including after concurrent requests */
export async function spendToken(tx: TenantTx, id: RegistrationTokenId): Promise<boolean> {
  const { numUpdatedRows } = await update(tx, 'registration_tokens')
    .set((row) => ({ uses: row('uses', '-', 1) }))
    .where('id', '=', id)
    .where('uses', '>', 0)
    .where('expires_at', '>', tx.now)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export interface NewToken extends Pick<TokenRow, 'id' | 'name' | 'uses'> {
  readonly hash: Buffer;
  readonly expiresAt: Date;
  readonly scopes: readonly string[] | null;
  readonly resources: readonly string[] | null;
  readonly redirectHosts: readonly string[] | null;
}

export async function insertToken(
  tx: TenantTx,
  { id, name, uses, hash, expiresAt, scopes, resources, redirectHosts }: NewToken,
): Promise<TokenRow> {
  return tx.db
    .insertInto('registration_tokens')
    .values({
      tenant_id: tx.tenantId,
      id,
      name,
      token_hash: hash,
      uses,
      expires_at: expiresAt,
      scopes: scopes && [...scopes],
      resources: resources && [...resources],
      redirect_hosts: redirectHosts && [...redirectHosts],
      created_at: tx.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** @returns the token's name; undefined if it does not exist */
export async function deleteToken(
  tx: TenantTx,
  id: RegistrationTokenId,
): Promise<string | undefined> {
  const row = await deleteFrom(tx, 'registration_tokens')
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst();
  return row?.name;
}

export function presentToken(row: TokenRow): RegistrationTokenRecord {
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
