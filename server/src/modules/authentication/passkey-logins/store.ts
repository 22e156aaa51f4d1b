import type { LoginFlowId, UserId } from '@keywright/contract/ids';
import { beginPasskey as begin } from '../../../../sql/authentication/kw_begin_passkey.ts';
import { takePasskey as take } from '../../../../sql/authentication/kw_take_passkey.ts';
import { usePasskey as use } from '../../../../sql/authentication/kw_use_passkey.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import { type KnownPasskey, MAX_CHALLENGES } from '../passkeys/index.ts';

/** @returns false if the flow has ended, or has had its challenges */
export async function beginPasskey(
  data: TenantData,
  flow: LoginFlowId,
  challenge: { readonly hash: Buffer; readonly expiresAt: Date },
  now: Date,
): Promise<boolean> {
  const { hash: challengeHash, expiresAt } = challenge;
  const limit = MAX_CHALLENGES;
  const [row] = await data.call(begin, { flow, challengeHash, limit, now, expiresAt });
  return row?.answer ?? false;
}

/** Uses up a challenge. @returns undefined if there is none; otherwise the passkey of the credential, if there is one */
export async function takePasskey(
  data: TenantData,
  given: {
    readonly flow: LoginFlowId;
    readonly challengeHash: Buffer;
    readonly credential: Buffer;
    readonly now: Date;
  },
) {
  const [row] = await data.call(take, given);
  return row;
}

export type TakenPasskey = Extract<
  NonNullable<Awaited<ReturnType<typeof takePasskey>>>,
  { readonly factor_id: string }
>;

/** Accepts a passkey, unless its counter did not go up. */
export async function usePasskey(
  data: TenantData,
  given: {
    readonly flow: LoginFlowId;
    readonly user: UserId;
    readonly factor: TakenPasskey['factor_id'];
    readonly counter: number;
    readonly backedUp: boolean;
    readonly now: Date;
  },
) {
  const [row] = await data.call(use, given);
  if (!row) throw new Error('The passkey was not looked up.');
  return row;
}

export function findPasskeys(data: TenantData, userId: UserId): Promise<KnownPasskey[]> {
  return data.transaction(async (tx) => {
    const rows = await tx.db
      .selectFrom('user_factors')
      .select(['credential_id', 'transports'])
      .where('tenant_id', '=', tx.tenantId)
      .where('user_id', '=', userId)
      .where('type', '=', 'passkey')
      .orderBy('id')
      .execute();
    return rows.flatMap(({ credential_id: credentialId, transports }) =>
      credentialId ? [{ credentialId, transports: transports ?? [] }] : [],
    );
  });
}
