import { OPERATOR } from '../../../platform/crypto/fair-queue.ts';
import { randomInt } from 'node:crypto';
import { fail } from '@keywright/contract/errors';
import { DEFAULT_TENANT } from '@keywright/contract/ids';
import { type Identifier, parseIdentifier } from '@keywright/contract/identifiers';
import type { Clock } from '../../../platform/clock.ts';
import type { PasswordHasher } from '../../../platform/crypto/password.ts';
import type { SystemActor } from '../../../tenancy/caller.ts';
import type { MasterKeys } from '../../../tenancy/data-keys.ts';
import { tenantExists } from '../../../tenancy/store.ts';
import { asTenant, type SystemData, type SystemTx } from '../../../tenancy/system.ts';
import {
  findMasterKeyId,
  lockInstallation,
  requireDataKeysAtHand,
  writeMasterKeyId,
} from '../installation/index.ts';
import { recordMaintenance } from '../../events/journal/index.ts';
import { SYSTEM_ADMIN } from '../../identity/roles/index.ts';
import { writeTenant } from '../tenants/index.ts';
import { writeUser } from '../../identity/users/index.ts';

const DEFAULT_DOMAINS = ['localhost', '127.0.0.1', 'keywright.localhost'];
/** Stored as verified although it has no mailbox: no message is ever sent to `.localhost`, which no one can own. */
const DEFAULT_ADMIN = 'admin@keywright.localhost';
/** The actor of a first start, in the audit log. */
const START: SystemActor = { kind: 'system', name: 'start' };
const SECRET_LENGTH = 24;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The database was written under another master key: nothing sealed in it can be opened. */
class WrongMasterKey extends Error {
  constructor() {
    super(
      'KEYWRIGHT_MASTER_KEY is not the master key of this database. ' +
        'Start with the key that it was created with or last rotated to; without that key its tenants ' +
        'cannot be opened.',
    );
    this.name = 'WrongMasterKey';
  }
}

export interface Administrator {
  readonly identifier: string;
  readonly secret: string;
}

/** The result of the first start. `isSecretNew`: the secret was generated, and is shown only once. */
export interface FirstStart {
  readonly administrator: (Administrator & { readonly isSecretNew: boolean }) | undefined;
}

interface Dependencies {
  readonly system: SystemData;
  readonly masterKeys: MasterKeys;
  readonly passwords: PasswordHasher;
  readonly clock: Clock;
}

/**
 * Creates the installation in an empty database: the default tenant and its first system administrator. Of several
 * nodes that start concurrently, one does it.
 * @param asked the administrator that the environment names
 * @param mayDraw whether one may be generated if the environment names none
 * @param before called before anything is created
 * @returns undefined if the installation exists
 * @throws WrongMasterKey, RotationUnfinished
 */
export async function firstStart(
  dependencies: Dependencies,
  asked: Administrator | undefined,
  mayDraw: boolean,
  before: () => Promise<void>,
): Promise<FirstStart | undefined> {
  const { system, masterKeys, clock } = dependencies;
  const isDone = await system.maintain('look for the default tenant', (tx) =>
    checkInstallation(tx, masterKeys),
  );
  if (isDone) return undefined;
  await before();
  const administrator =
    asked ?? (mayDraw ? { identifier: DEFAULT_ADMIN, secret: drawSecret() } : undefined);
  const secretHash =
    administrator && (await dependencies.passwords.hash(administrator.secret, OPERATOR));
  const isOurs = await system.maintain('first start', async (tx) => {
    await lockInstallation(tx);
    if (await checkInstallation(tx, masterKeys)) return false;
    await writeMasterKeyId(tx, firstOf(masterKeys));
    const tenant = { slug: 'default', name: 'Default Tenant', domains: DEFAULT_DOMAINS };
    const { id } = await writeTenant(tx, START, masterKeys, tenant, clock.now(), fail);
    if (administrator && secretHash) {
      const identifier = requireIdentifier(administrator);
      const user = { ...identifier, verified: true, secretHash, roles: [SYSTEM_ADMIN] };
      await asTenant(tx, id, (own) => writeUser(own, START, user));
    }
    await recordMaintenance(tx, START, 'first start', id);
    return true;
  });
  if (!isOurs) return undefined;
  return { administrator: administrator && { ...administrator, isSecretNew: asked === undefined } };
}

/** @returns whether the installation exists. @throws WrongMasterKey, RotationUnfinished */
async function checkInstallation(tx: SystemTx, masterKeys: MasterKeys): Promise<boolean> {
  const masterKeyId = await findMasterKeyId(tx);
  if (masterKeyId !== undefined && !masterKeys.ids.includes(masterKeyId))
    throw new WrongMasterKey();
  await requireDataKeysAtHand(tx, masterKeys);
  return tenantExists(tx, DEFAULT_TENANT);
}

function firstOf({ ids: [id] }: MasterKeys): string {
  if (id === undefined) throw new Error('There is no master key.');
  return id;
}

function requireIdentifier({ identifier }: Administrator): Identifier {
  const parsed = parseIdentifier(identifier);
  if (parsed) return parsed;
  throw new Error('KEYWRIGHT_ADMIN_IDENTIFIER is neither an e-mail address nor a phone number.');
}

/** 24 characters of base62: 142 bits, without characters that are special to a shell. */
export function drawSecret(): string {
  return Array.from({ length: SECRET_LENGTH }, () => BASE62.charAt(randomInt(62))).join('');
}
