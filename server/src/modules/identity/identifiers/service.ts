import type { Fail } from '@keywright/contract/errors';
import { parseIdentifier } from '@keywright/contract/identifiers';
import type { IdentifierRecord } from '@keywright/contract/records/user';
import type { UserCaller } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Notify } from '../../events/messages/index.ts';
import {
  lockOneself,
  findUser,
  presentUser,
  raiseAuthVersion,
  replaceIdentifiers,
} from '../users/index.ts';
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
  dependencies: IdentifierDependencies,
  tenant: Tenant,
  caller: UserCaller,
  asked: Asked,
  fail: Fail<'TOKEN_INVALID' | 'STEP_UP_REQUIRED' | 'NOT_FOUND' | 'IDENTIFIER_UNVERIFIED'>,
): Promise<IdentifierRecord[]> {
  return replaceOwn(dependencies, tenant, { caller, ...asked }, fail, {
    notice: 'notice.identifier_primary',
    action: 'identifier.made_primary',
    next: (present, chosen) => {
      if (!chosen.verified) fail('IDENTIFIER_UNVERIFIED');
      return chosen === present[0] ? present : [chosen, ...present.filter((one) => one !== chosen)];
    },
  });
}

/** Removes one's own identifier. Its address is told, too: whoever reads its mail may be the one who is robbed. */
export function remove(
  dependencies: IdentifierDependencies,
  tenant: Tenant,
  caller: UserCaller,
  asked: Asked,
  fail: Fail<'TOKEN_INVALID' | 'STEP_UP_REQUIRED' | 'NOT_FOUND' | 'LAST_IDENTIFIER'>,
): Promise<IdentifierRecord[]> {
  return replaceOwn(dependencies, tenant, { caller, ...asked }, fail, {
    notice: 'notice.identifier_removed',
    action: 'identifier.removed',
    next: (present, chosen) => {
      const left = present.filter((one) => one !== chosen);
      return mayRemove(present, left) ? left : fail('LAST_IDENTIFIER');
    },
  });
}

interface Replacement {
  readonly notice: 'notice.identifier_primary' | 'notice.identifier_removed';
  readonly action: 'identifier.made_primary' | 'identifier.removed';
  /** The identifiers from now on; the present ones if nothing changes. */
  readonly next: (present: IdentifierRecord[], chosen: IdentifierRecord) => IdentifierRecord[];
}

/** Tells the addresses that the user had, by mails that can undo the change. */
function replaceOwn(
  { gate, notify }: IdentifierDependencies,
  tenant: Tenant,
  { caller, identifier: text, userAgent: device }: Asked & { readonly caller: UserCaller },
  fail: Fail<'TOKEN_INVALID' | 'STEP_UP_REQUIRED' | 'NOT_FOUND'>,
  { notice: kind, action, next: nextOf }: Replacement,
): Promise<IdentifierRecord[]> {
  const { identifier } = parseIdentifier(text) ?? fail('NOT_FOUND');
  return gate.into(tenant.id).transaction(async (tx) => {
    const { auth_version: authVersion } = await lockOneself(tx, caller, fail);
    const present = await identifiersOf(tx, caller, fail);
    const chosen = present.find((one) => one.identifier === identifier) ?? fail('NOT_FOUND');
    const next = nextOf(present, chosen);
    if (next === present) return present;
    const { subject: userId } = caller;
    const secretFor = undoFor(tx, { userId, authVersion, identifiers: present });
    await notify(tx, tenant, { userId, kind, device, changed: identifier, secretFor });
    await replaceIdentifiers(tx, userId, next);
    await raiseAuthVersion(tx, userId);
    await recordIdentifiers(tx, caller, action);
    return next;
  });
}
