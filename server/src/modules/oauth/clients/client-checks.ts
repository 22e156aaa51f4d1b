// Checks of clients that need the database. Each throws the errors of its route.

import type { Fail, FieldError } from '@keywright/contract/errors';
import { parseOAuthClientId } from '@keywright/contract/ids';
import type { Caller } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { lockProviderForShare } from '../../authentication/identity-providers/index.ts';
import { requireHeld } from '../../identity/roles/index.ts';
import { unknownScopesOf, unknownTypesOf } from '../resources/index.ts';
import { type ClientFields, permissionsOf, scopesOfResources } from './client-rules.ts';
import { type ClientRow, lockClient } from './client-store.ts';

export function requireFlawless(errors: FieldError[], fail: Fail<'VALIDATION_FAILED'>): void {
  if (errors.length > 0) fail('VALIDATION_FAILED', { errors });
}

/**
 * Returns a client that the caller can change or delete, including its secrets, and locks it until the commit. The
 * caller must hold the client's permissions, because the tokens of its users would otherwise give the caller more
 * rights.
 */
export async function requireClient(
  tx: TenantTx,
  caller: Caller,
  id: string,
  fail: Fail<'NOT_FOUND' | 'SCOPE_NOT_HELD'>,
): Promise<ClientRow> {
  const clientId = parseOAuthClientId(id) ?? fail('NOT_FOUND');
  const row = (await lockClient(tx, clientId)) ?? fail('NOT_FOUND');
  await requireHeld(tx, caller, permissionsOf(row.scopes), fail);
  return row;
}

/** Rejects misspelled scopes, which every token would silently lack. */
export async function requireKnownScopes(
  tx: TenantTx,
  scopes: readonly string[],
  fail: Fail<'VALIDATION_FAILED'>,
): Promise<void> {
  const unknown = await unknownScopesOf(tx, scopesOfResources(scopes));
  const message = 'is neither of OpenID Connect, nor <action>:<resource>, nor of a resource';
  const errors = unknown.map((scope) => ({ path: `/scopes/${scopes.indexOf(scope)}`, message }));
  requireFlawless(errors, fail);
}

export async function requireKnownTypes(
  tx: TenantTx,
  types: readonly string[],
  fail: Fail<'VALIDATION_FAILED'>,
): Promise<void> {
  const unknown = await unknownTypesOf(tx, types);
  const message = 'is not a type of authorization details of a resource';
  const errors = unknown.map((type) => ({
    path: `/authorization_details_types/${types.indexOf(type)}`,
    message,
  }));
  requireFlawless(errors, fail);
}

/** Rejects identity providers that cannot issue assertions, because they do not exist or have no issuer. */
export async function requireProviders(
  tx: TenantTx,
  { identity_assertions: assertions }: Pick<ClientFields, 'identity_assertions'>,
  fail: Fail<'VALIDATION_FAILED'>,
): Promise<void> {
  const rows = await Promise.all(assertions.providers.map((id) => lockProviderForShare(tx, id)));
  const message = 'is no identity provider of the type oidc';
  const errors = rows.flatMap((row, index): FieldError[] =>
    row?.type === 'oidc' ? [] : [{ path: `/identity_assertions/providers/${index}`, message }],
  );
  requireFlawless(errors, fail);
}
