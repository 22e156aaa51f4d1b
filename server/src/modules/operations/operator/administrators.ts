import { type Identifier, parseIdentifier } from '@keywright/contract/identifiers';
import { DEFAULT_TENANT, type UserId } from '@keywright/contract/ids';
import { OPERATOR } from '../../../platform/crypto/fair-queue.ts';
import { withDefaults } from '../../../tenancy/config.ts';
import { asTenant } from '../../../tenancy/system.ts';
import { passwordFlaw } from '../../authentication/passwords/index.ts';
import { removeAllFactors } from '../../identity/factors/index.ts';
import { SYSTEM_ADMIN } from '../../identity/roles/index.ts';
import { writeUser, recordUpdate, setSecretHash, setVerified } from '../../identity/users/index.ts';
import { endSessionsOf } from '../../tokens/sessions/index.ts';
import { drawSecret, firstStart } from '../installation/index.ts';
import { findTenantConfig, findAdministrator } from './operator-store.ts';
import { OperatorError, ACTOR, type Operator } from './operator.ts';

export interface NewAdministrator {
  readonly user_id: UserId;
  readonly identifier: string;
  /** Only if generated; otherwise the operator already knows it. */
  readonly secret?: string;
}

/** Adds a system administrator, and creates the installation if no service has started on the database. */
export async function createAdministrator(
  operator: Operator,
  asked: { readonly identifier: string; readonly secret?: string },
): Promise<NewAdministrator> {
  const identifier = requireIdentifier(asked.identifier);
  await makeInstallation(operator);
  if (asked.secret !== undefined) await requireGoodSecret(operator, asked.secret);
  const secret = asked.secret ?? drawSecret();
  const secretHash = await operator.passwords.hash(secret, OPERATOR);
  const userId = await operator.system.run(ACTOR, 'create a system administrator', (tx) =>
    asTenant(tx, DEFAULT_TENANT, async (own) => {
      // If the identifier were unverified, the owner of its address could take over the account.
      const user = { ...identifier, verified: true, secretHash, roles: [SYSTEM_ADMIN] };
      return (await writeUser(own, ACTOR, user)) ?? refuseTaken(identifier);
    }),
  );
  return {
    user_id: userId,
    identifier: identifier.identifier,
    ...(asked.secret === undefined ? { secret } : {}),
  };
}

/** Creates the installation as a first start does, without an administrator. @throws WrongMasterKey */
export async function makeInstallation(operator: Operator): Promise<void> {
  await firstStart(
    { ...operator, masterKeys: operator.masterKeys() },
    undefined,
    false,
    async () => {},
  );
}

/** @throws OperatorError IDENTIFIER_INVALID */
export function requireIdentifier(text: string): Identifier {
  const parsed = parseIdentifier(text);
  if (parsed) return parsed;
  throw new OperatorError(
    'IDENTIFIER_INVALID',
    'Expected the identifier to be an e-mail address or a phone number, such as you@example.com or +15551234567.',
  );
}

function refuseTaken({ identifier }: Identifier): never {
  throw new OperatorError(
    'IDENTIFIER_TAKEN',
    `${identifier} is taken: a user of ${DEFAULT_TENANT} has it. Choose another one, or give that user the role ${SYSTEM_ADMIN}.`,
  );
}

/** @throws OperatorError SECRET_WEAK */
async function requireGoodSecret({ system }: Operator, secret: string): Promise<void> {
  const kept = await system.maintain('read what secrets have to be like', (tx) =>
    findTenantConfig(tx, DEFAULT_TENANT),
  );
  const flaw = await passwordFlaw(secret, withDefaults(kept ?? {}));
  if (flaw !== undefined) throw new OperatorError('SECRET_WEAK', `The secret ${flaw}.`);
}

interface Recovered {
  readonly user_id: UserId;
  readonly identifier: string;
  readonly factors_removed: number;
  readonly sessions_ended: number;
  /** Only if generated; otherwise the operator already knows it. */
  readonly secret?: string;
}

/** Restores access for a system administrator who lost the second factor or the password, by replacing both. */
export async function recoverAdministrator(
  operator: Operator,
  asked: { readonly identifier: string; readonly secret?: string },
): Promise<Recovered> {
  const { identifier } = requireIdentifier(asked.identifier);
  if (asked.secret !== undefined) await requireGoodSecret(operator, asked.secret);
  const secret = asked.secret ?? drawSecret();
  const secretHash = await operator.passwords.hash(secret, OPERATOR);
  return operator.system.run(ACTOR, 'recover a system administrator', (tx) =>
    asTenant(tx, DEFAULT_TENANT, async (own) => {
      const userId = (await findAdministrator(own, identifier, SYSTEM_ADMIN)) ?? refuse(identifier);
      await setSecretHash(own, userId, secretHash);
      const isVerified = await setVerified(own, userId, identifier);
      // Also raises the version, which ends logins in progress.
      const factors = await removeAllFactors(own, ACTOR, userId);
      const ended = await endSessionsOf(own, userId, 'password_changed');
      const reason = 'password_changed';
      const fields = isVerified ? ['password', 'identifiers'] : ['password'];
      await recordUpdate(own, ACTOR, userId, { fields, ended, reason });
      return {
        user_id: userId,
        identifier,
        factors_removed: factors,
        sessions_ended: ended.length,
        ...(asked.secret === undefined ? { secret } : {}),
      };
    }),
  );
}

function refuse(identifier: string): never {
  throw new OperatorError(
    'NOT_FOUND',
    `${identifier} is not an active system administrator. "keywright admin create" makes a new one.`,
  );
}
