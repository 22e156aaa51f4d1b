import type { Fail } from '@keywright/contract/errors';
import { type FactorId, parseFactorId, type TenantId, type UserId } from '@keywright/contract/ids';
import type { CreatedTotp, FactorRecord } from '@keywright/contract/records/factor';
import { newFactorId } from '../../../platform/crypto/ids.ts';
import { seal, unseal } from '../../../platform/crypto/sealed.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { UserCaller } from '../../../tenancy/caller.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { countAttempt, giveBackAttempt, rateLimitOf } from '../../authentication/attempts/index.ts';
import { newRecoveryCodes, recoveryCodeHash } from '../../authentication/recovery-codes/index.ts';
import {
  GUESS_LIMITS,
  guessSubject,
  totpPlace,
} from '../../authentication/second-factors/index.ts';
import { findTotpStep, newTotpSecret, presentTotpSecret } from '../../authentication/totp/index.ts';
import type { Notify } from '../../events/messages/index.ts';
import { type Actor, record, recordAll } from '../../events/journal/index.ts';
import { lockOneself } from '../users/index.ts';
import { presentFactor } from './present.ts';
import { factorChange, factorUpdate } from './recorded.ts';
import { confirmBefore, isAuthenticator, isRecoveryCodes, MAX_FACTORS } from './rules.ts';
import {
  confirmTotp as confirmRow,
  type FactorRow,
  findAccountName,
  findUnconfirmed,
  insertTotp,
  listFactors,
  putRecoveryCodes,
  updateFactorState,
} from './store.ts';

export const TOTP_NAME = 'Authenticator';
const CODES_NAME = 'Recovery codes';

export interface EnrolmentDependencies {
  readonly gate: Gate;
  readonly notify: Notify;
  readonly dataKeys: DataKeys;
  readonly clock: Clock;
}

interface Confirmed {
  readonly factor: FactorRecord;
  readonly recovery_codes: string[] | null;
}

/** Adds an authenticator, which counts once it is confirmed. */
export async function addTotp(
  { gate, dataKeys, clock }: EnrolmentDependencies,
  { id: tenantId, name: issuer }: Tenant,
  caller: UserCaller,
  name: string | undefined,
  fail: Fail<'TOKEN_INVALID' | 'STEP_UP_REQUIRED' | 'TOO_MANY_FACTORS'>,
): Promise<CreatedTotp> {
  const { subject: userId } = caller;
  const secret = newTotpSecret();
  const id = newFactorId(clock.now());
  const sealed = await dataKeys.use(tenantId, (key) => seal(key, secret, totpPlace(tenantId, id)));
  const [row, account] = await gate.into(tenantId).transaction(async (tx) => {
    await lockOneself(tx, caller, fail);
    if ((await listFactors(tx, userId)).length >= MAX_FACTORS) fail('TOO_MANY_FACTORS');
    const expiresAt = confirmBefore(tx.now);
    const totp = { id, userId, name: name ?? TOTP_NAME, secret: sealed, expiresAt };
    const added = await insertTotp(tx, totp);
    await record(tx, caller, factorChange('factor.begun', added));
    return [added, await findAccountName(tx, userId)] as const;
  });
  const shown = await presentTotpSecret(secret, { issuer, account });
  return { ...presentFactor(tenantId, row), ...shown };
}

/** Confirms an authenticator by a code of it. The first one comes with recovery codes. */
export async function confirmTotp(
  dependencies: EnrolmentDependencies,
  tenant: Tenant,
  caller: UserCaller,
  asked: { readonly id: string; readonly code: string },
  fail: Fail<
    'TOKEN_INVALID' | 'STEP_UP_REQUIRED' | 'NOT_FOUND' | 'CODE_WRONG' | 'TOO_MANY_ATTEMPTS'
  >,
): Promise<Confirmed> {
  const { gate, dataKeys, notify } = dependencies;
  const { subject: userId } = caller;
  const id = parseFactorId(asked.id) ?? fail('NOT_FOUND');
  const step = await stepOfCode(dependencies, tenant, userId, { id, code: asked.code }, fail);
  const made = newRecoveryCodes();
  const hashes = await hashesOf(dataKeys, tenant.id, userId, made);
  return gate.into(tenant.id).transaction(async (tx) => {
    await lockOneself(tx, caller, fail);
    const factor = (await confirmRow(tx, userId, id, step)) ?? fail('NOT_FOUND');
    const { hasNewCodes } = await completeEnrolment(tx, caller, factor, hashes);
    await notify(tx, tenant, { userId, kind: 'notice.factor_added' });
    return {
      factor: presentFactor(tenant.id, factor),
      recovery_codes: hasNewCodes ? made : null,
    };
  });
}

/** After an authenticator was confirmed: the first one comes with recovery codes. */
export async function completeEnrolment(
  tx: TenantTx,
  by: Actor,
  factor: FactorRow,
  hashes: readonly Buffer[],
): Promise<{ readonly authVersion: number; readonly hasNewCodes: boolean }> {
  const { user_id: userId } = factor;
  const hasCodes = (await listFactors(tx, userId)).some(isRecoveryCodes);
  const codes = hasCodes ? undefined : await putCodes(tx, userId, hashes);
  const authVersion = await updateFactorState(tx, userId);
  const added = codes ? [factor, codes] : [factor];
  await recordAll(
    tx,
    by,
    added.map((one) => factorChange('factor.added', one)),
  );
  return { authVersion, hasNewCodes: codes !== undefined };
}

/** The time step of a code of an authenticator that is not confirmed. Guesses are limited, and counted first. */
async function stepOfCode(
  dependencies: EnrolmentDependencies,
  tenant: Tenant,
  userId: UserId,
  { id, code }: { readonly id: FactorId; readonly code: string },
  fail: Fail<'NOT_FOUND' | 'CODE_WRONG' | 'TOO_MANY_ATTEMPTS'>,
): Promise<number> {
  const { gate, dataKeys, clock } = dependencies;
  const data = gate.into(tenant.id);
  const found = await data.transaction((tx) => findUnconfirmed(tx, userId, id));
  const sealed = found?.totp_secret ?? fail('NOT_FOUND');
  await countGuess(dependencies, tenant, userId, fail);
  const place = totpPlace(tenant.id, id);
  const secret = await dataKeys.use(tenant.id, (key) => unseal(key, sealed, place));
  const step = (await findTotpStep(secret, code, clock.now())) ?? fail('CODE_WRONG');
  await giveBackAttempt(data, guessSubject('totp', userId), clock.now());
  return step;
}

/** Replaces the caller's recovery codes. */
export async function renewRecoveryCodes(
  { gate, dataKeys }: EnrolmentDependencies,
  { id: tenantId }: Tenant,
  caller: UserCaller,
  fail: Fail<'TOKEN_INVALID' | 'STEP_UP_REQUIRED' | 'FACTOR_MISSING'>,
): Promise<{ factor: FactorRecord; recovery_codes: string[] }> {
  const { subject: userId } = caller;
  const made = newRecoveryCodes();
  const hashes = await hashesOf(dataKeys, tenantId, userId, made);
  return gate.into(tenantId).transaction(async (tx) => {
    await lockOneself(tx, caller, fail);
    const factors = await listFactors(tx, userId);
    if (!factors.some(isAuthenticator)) fail('FACTOR_MISSING');
    const row = await putCodes(tx, userId, hashes);
    await updateFactorState(tx, userId);
    const change = factors.some(isRecoveryCodes)
      ? factorUpdate(row, ['recovery_codes'])
      : factorChange('factor.added', row);
    await record(tx, caller, change);
    return { factor: presentFactor(tenantId, row), recovery_codes: made };
  });
}

export function hashesOf(
  dataKeys: DataKeys,
  tenantId: TenantId,
  userId: UserId,
  codes: readonly string[],
): Promise<Buffer[]> {
  return dataKeys.use(tenantId, (key) => codes.map((one) => recoveryCodeHash(key, userId, one)));
}

function putCodes(tx: TenantTx, userId: UserId, hashes: readonly Buffer[]) {
  return putRecoveryCodes(tx, { id: newFactorId(tx.now), userId, name: CODES_NAME }, hashes);
}

/** Before the code is compared: parallel guesses do not exceed the limit. */
export async function countGuess(
  { gate, clock }: EnrolmentDependencies,
  tenant: Tenant,
  userId: UserId,
  fail: Fail<'TOO_MANY_ATTEMPTS'>,
): Promise<void> {
  const subject = guessSubject('totp', userId);
  const wait = await countAttempt(gate.into(tenant.id), GUESS_LIMITS, subject, clock.now());
  if (wait === undefined) return;
  fail('TOO_MANY_ATTEMPTS', {
    retryAfterSeconds: wait,
    limits: [rateLimitOf('user', GUESS_LIMITS)],
  });
}
