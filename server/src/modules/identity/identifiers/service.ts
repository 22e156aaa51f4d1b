import type { Fail } from '@keywright/contract/errors';
import { parseIdentifier } from '@keywright/contract/identifiers';
import type { IdentifierRecord } from '@keywright/contract/records/user';
import type { UserCaller } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Notify } from '../../events/messages/index.ts';
import { lockOneself } from '../factors/index.ts';
import { findUser, presentUser, raiseAuthVersion, replaceIdentifiers } from '../users/index.ts';
import { recordIdentifiers } from './recorded.ts';
import { mayRemove } from './rules.ts';
import { undoFor } from './undo.ts';

export interface IdentifierDependencies {
  readonly gate: Gate;
  readonly notify: Notify;
}

export function listOwn(
  { gate }: Pick<IdentifierDependencies, 'gate'>,
  { id }: Tenant,
  caller: UserCaller,
  fail: Fail<'TOKEN_INVALID'>,
): Promise<IdentifierRecord[]> {
  return gate.into(id).transaction((tx) => identifiersOf(tx, caller, fail));
}

export async function identifiersOf(
  tx: TenantTx,
  { subject }: UserCaller,
  fail: Fail<'TOKEN_INVALID'>,
): Promise<IdentifierRecord[]> {
  const row = (await findUser(tx, subject)) ?? fail('TOKEN_INVALID');
  return presentUser(row).identifiers;
}

interface Asked {
  readonly identifier: string;
  readonly userAgent: string | null;
}

/** Puts one's own identifier first. All verified addresses are told, the former one too. */
export function makePrimary(
  { gate, notify }: IdentifierDependencies,
  tenant: Tenant,
  caller: UserCaller,
  asked: Asked,
  fail: Fail<'TOKEN_INVALID' | 'STEP_UP_REQUIRED' | 'NOT_FOUND' | 'IDENTIFIER_UNVERIFIED'>,
): Promise<IdentifierRecord[]> {
  const { identifier } = parseIdentifier(asked.identifier) ?? fail('NOT_FOUND');
  return gate.into(tenant.id).transaction(async (tx) => {
    const { auth_version: authVersion } = await lockOneself(tx, caller, fail);
    const present = await identifiersOf(tx, caller, fail);
    const chosen = present.find((one) => one.identifier === identifier) ?? fail('NOT_FOUND');
    if (!chosen.verified) fail('IDENTIFIER_UNVERIFIED');
    if (chosen === present[0]) return present;
    const { subject: userId } = caller;
    await notify(tx, tenant, {
      userId,
      kind: 'notice.identifier_primary',
      device: asked.userAgent,
      changed: identifier,
      secretFor: undoFor(tx, { userId, authVersion, identifiers: present }),
    });
    const next = [chosen, ...present.filter((one) => one !== chosen)];
    await replaceIdentifiers(tx, userId, next);
    await raiseAuthVersion(tx, userId);
    await recordIdentifiers(tx, caller, 'identifier.made_primary');
    return next;
  });
}

/** Removes one's own identifier. Its address is told, too: whoever reads its mail may be the one who is robbed. */
export function remove(
  { gate, notify }: IdentifierDependencies,
  tenant: Tenant,
  caller: UserCaller,
  asked: Asked,
  fail: Fail<'TOKEN_INVALID' | 'STEP_UP_REQUIRED' | 'NOT_FOUND' | 'LAST_IDENTIFIER'>,
): Promise<IdentifierRecord[]> {
  const { identifier } = parseIdentifier(asked.identifier) ?? fail('NOT_FOUND');
  return gate.into(tenant.id).transaction(async (tx) => {
    const { auth_version: authVersion } = await lockOneself(tx, caller, fail);
    const present = await identifiersOf(tx, caller, fail);
    const left = present.filter((one) => one.identifier !== identifier);
    if (left.length === present.length) fail('NOT_FOUND');
    if (!mayRemove(present, left)) fail('LAST_IDENTIFIER');
    const { subject: userId } = caller;
    await notify(tx, tenant, {
      userId,
      kind: 'notice.identifier_removed',
      device: asked.userAgent,
      changed: identifier,
      secretFor: undoFor(tx, { userId, authVersion, identifiers: present }),
    });
    await replaceIdentifiers(tx, userId, left);
    await raiseAuthVersion(tx, userId);
    await recordIdentifiers(tx, caller, 'identifier.removed');
    return left;
  });
}
