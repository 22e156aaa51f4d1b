import { OPERATOR } from '../../../platform/crypto/fair-queue.ts';
import { DEFAULT_TENANT, type UserId } from '@keywright/contract/ids';
import { asTenant } from '../../../tenancy/system.ts';
import { removeAllFactors } from '../../identity/factors/index.ts';
import { SYSTEM_ADMIN } from '../../identity/roles/index.ts';
import { recordUpdate, setSecretHash, setVerified } from '../../identity/users/index.ts';
import { endSessionsOf } from '../../tokens/sessions/index.ts';
import { drawSecret } from '../first-start/index.ts';
import { requireGoodSecret, requireIdentifier } from './administrators.ts';
import { OperatorError } from './failures.ts';
import { ACTOR, type Operator } from './operator.ts';
import { findAdministrator } from './store.ts';

interface Recovered {
  readonly user_id: UserId;
  readonly identifier: string;
  readonly factors_removed: number;
  readonly sessions_ended: number;
  /** Only if generated: otherwise the operator knows it. */
  readonly secret?: string;
}

/** Lets a system administrator in who has lost their second factor or their password: both are replaced. */
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
