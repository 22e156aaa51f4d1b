import { OPERATOR, type PasswordHasher } from '../../../platform/crypto/password.ts';
import { randomInt } from 'node:crypto';
import { fail } from '@keywright/contract/errors';
import { DEFAULT_TENANT } from '@keywright/contract/ids';
import { type Identifier, parseIdentifier } from '@keywright/contract/identifiers';
import type { Clock } from '../../../platform/clock.ts';
import type { SystemActor } from '../../../tenancy/caller.ts';
import type { MasterKeys } from '../../../tenancy/data-keys.ts';
import { tenantExists } from '../../../tenancy/store.ts';
import { type SystemData, type SystemTx, asTenant } from '../../../tenancy/gate.ts';
import {
  findMasterKeyId,
  findUnusedAdministrator,
  hasUnusedSecret,
  lockInstallation,
  setUnusedSecret,
  writeMasterKeyId,
} from './installation-store.ts';
import { requireDataKeysAtHand } from './master-key-rotation.ts';
import { recordMaintenance } from '../../events/journal/index.ts';
import { SYSTEM_ADMIN } from '../../identity/roles/index.ts';
import { writeTenant } from '../tenants/index.ts';
import { setSecretHash, writeUser } from '../../identity/users/index.ts';

const DEFAULT_DOMAINS = ['localhost', '127.0.0.1', 'keywright.localhost'];
/** Stored as verified although it has no mailbox: messages are never sent to `.localhost`, which no one can own. */
const DEFAULT_ADMIN = 'admin@keywright.localhost';
/** The actor of a first start in the audit log. */
const START: SystemActor = { kind: 'system', name: 'start' };
const SECRET_LENGTH = 24;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The database was created under another master key, so its sealed data cannot be opened. */
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

/** The result of a first start. `isSecretNew`: the secret was generated and has not been used to sign in. */
export interface FirstStart {
  readonly administrator: (Administrator & { readonly isSecretNew: boolean }) | undefined;
}

/** Creates the installation in an empty database: the default tenant and its first system administrator. */
export class FirstStartService {
  readonly #system: SystemData;
  readonly #masterKeys: MasterKeys;
  readonly #passwords: PasswordHasher;
  readonly #clock: Clock;

  constructor(system: SystemData, masterKeys: MasterKeys, passwords: PasswordHasher, clock: Clock) {
    this.#system = system;
    this.#masterKeys = masterKeys;
    this.#passwords = passwords;
    this.#clock = clock;
  }

  /**
   * Creates the installation unless it exists. If several nodes start concurrently, one of them does it. Later starts
   * replace a generated secret until the first sign-in: they cannot print it again, because only its hash is stored.
   * @param configured the administrator that the environment names
   * @param canGenerate whether an administrator is generated if the environment names none
   * @param before called before anything is created
   * @returns undefined if there is nothing to print
   * @throws WrongMasterKey, RotationUnfinished
   */
  async start(
    configured: Administrator | undefined,
    canGenerate: boolean,
    before: () => Promise<void>,
  ): Promise<FirstStart | undefined> {
    const isDone = await this.#system.maintain('look for the default tenant', (tx) =>
      checkInstallation(tx, this.#masterKeys),
    );
    if (!isDone) {
      await before();
      return this.#createInstallation(configured, canGenerate);
    }
    return configured === undefined && canGenerate ? this.#replaceUnusedSecret() : undefined;
  }

  async #createInstallation(
    configured: Administrator | undefined,
    canGenerate: boolean,
  ): Promise<FirstStart | undefined> {
    const administrator = configured ?? (canGenerate ? generateAdministrator() : undefined);
    const secretHash =
      administrator && (await this.#passwords.hash(administrator.secret, OPERATOR));
    const isOurs = await this.#system.maintain('first start', async (tx) => {
      await lockInstallation(tx);
      if (await checkInstallation(tx, this.#masterKeys)) return false;
      await writeMasterKeyId(tx, firstOf(this.#masterKeys));
      const tenant = { slug: 'default', name: 'Default Tenant', domains: DEFAULT_DOMAINS };
      const now = this.#clock.now();
      const { id } = await writeTenant(tx, START, this.#masterKeys, tenant, now, fail);
      if (administrator && secretHash) {
        const identifier = requireIdentifier(administrator);
        const user = { ...identifier, verified: true, secretHash, roles: [SYSTEM_ADMIN] };
        await asTenant(tx, id, (homeTx) => writeUser(homeTx, START, user));
        if (configured === undefined) await setUnusedSecret(tx, true);
      }
      await recordMaintenance(tx, START, 'first start', id);
      return true;
    });
    if (!isOurs) return undefined;
    const isSecretNew = configured === undefined;
    return { administrator: administrator && { ...administrator, isSecretNew } };
  }

  async #replaceUnusedSecret(): Promise<FirstStart | undefined> {
    const userId = await this.#system.maintain('look for an unused secret', findUnusedSecret);
    if (userId === undefined) return undefined;
    const administrator = generateAdministrator();
    const secretHash = await this.#passwords.hash(administrator.secret, OPERATOR);
    const isReplaced = await this.#system.maintain('replace an unused secret', async (tx) => {
      const stillUnused = await findUnusedSecret(tx);
      if (stillUnused === undefined) return false;
      await asTenant(tx, DEFAULT_TENANT, (homeTx) =>
        setSecretHash(homeTx, stillUnused, secretHash),
      );
      await recordMaintenance(tx, START, 'replace an unused secret', DEFAULT_TENANT);
      return true;
    });
    return isReplaced ? { administrator: { ...administrator, isSecretNew: true } } : undefined;
  }
}

/** @returns the generated administrator who has not signed in */
async function findUnusedSecret(tx: SystemTx) {
  if (!(await hasUnusedSecret(tx))) return undefined;
  const userId = await asTenant(tx, DEFAULT_TENANT, (homeTx) =>
    findUnusedAdministrator(homeTx, DEFAULT_ADMIN, SYSTEM_ADMIN),
  );
  if (userId === undefined) await setUnusedSecret(tx, false);
  return userId;
}

function generateAdministrator(): Administrator {
  return { identifier: DEFAULT_ADMIN, secret: drawSecret() };
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
  throw new Error('KEYWRIGHT_ADMIN_IDENTIFIER is not an email address or a phone number.');
}

/** Generates 24 characters of base62: 142 bits, without characters that are special to a shell. */
export function drawSecret(): string {
  return Array.from({ length: SECRET_LENGTH }, () => BASE62.charAt(randomInt(62))).join('');
}
