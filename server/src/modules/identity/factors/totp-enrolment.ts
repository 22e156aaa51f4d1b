import type { Fail } from '@keywright/contract/errors';
import { type FactorId, parseFactorId, type TenantId, type UserId } from '@keywright/contract/ids';
import type { CreatedTotp, FactorRecord } from '@keywright/contract/records/factor';
import type { FlowAnswer, LoginFlow } from '@keywright/contract/records/login-flow';
import type { Clock } from '../../../platform/clock.ts';
import { newFactorId } from '../../../platform/crypto/ids.ts';
import { seal, unseal } from '../../../platform/crypto/sealed.ts';
import type { UserCaller } from '../../../tenancy/caller.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { Device } from '../../../tenancy/device.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { countAttempt, giveBackAttempt, rateLimitOf } from '../../authentication/attempts/index.ts';
import type { Flows, FlowUser, StoredFlow } from '../../authentication/flows/index.ts';
import {
  newRecoveryCodes,
  recoveryCodeHash,
  GUESS_LIMITS,
  guessSubject,
  totpPlace,
  findTotpStep,
  newTotpSecret,
  presentTotpSecret,
  totpSecretOfFlow,
} from '../../authentication/second-factors/index.ts';
import { type Actor, record, recordAll, anonymous } from '../../events/journal/index.ts';
import type { Notify } from '../../events/messages/index.ts';
import { lockOneself, lockActiveUser } from '../users/index.ts';
import {
  presentFactor,
  factorChange,
  factorUpdate,
  confirmBefore,
  isAuthenticator,
  isRecoveryCodes,
  MAX_FACTORS,
} from './factor-service.ts';
import {
  confirmTotp as confirmRow,
  type FactorRow,
  findAccountName,
  findUnconfirmed,
  insertTotp,
  listFactors,
  putRecoveryCodes,
  updateFactorState,
  insertConfirmedTotp,
} from './factor-store.ts';

const TOTP_NAME = 'Authenticator';
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
async function countGuess(
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

export interface FlowDependencies extends EnrolmentDependencies {
  readonly flows: Flows;
}

export interface AskedInFlow {
  readonly flowId: string;
  readonly token: string;
}

/** The key of an authenticator that the user of a flow may add: the same until it is confirmed. */
export async function showTotpOfFlow(
  { gate, dataKeys, flows }: FlowDependencies,
  tenant: Tenant,
  asked: AskedInFlow,
  fail: Fail<'FLOW_ENDED' | 'STEP_NOT_NEEDED'>,
): Promise<{ flow: LoginFlow; secret: string; uri: string }> {
  const { flow, user } = await openTotp(flows, tenant, asked, fail);
  const secret = await dataKeys.use(tenant.id, (key) => totpSecretOfFlow(key, flow.id, user.id));
  const account = await gate.into(tenant.id).transaction((tx) => findAccountName(tx, user.id));
  const shown = await presentTotpSecret(secret, { issuer: tenant.name, account });
  return { flow: await flows.present(tenant, flow), ...shown };
}

interface Enrolled extends FlowAnswer {
  factor: FactorRecord;
  recovery_codes: string[];
}

/** Confirms that authenticator by a code of it, which proves it in the flow. */
export async function confirmTotpOfFlow(
  dependencies: FlowDependencies,
  tenant: Tenant,
  {
    name,
    code,
    device,
    ...asked
  }: AskedInFlow & {
    readonly name: string | undefined;
    readonly code: string;
    readonly device: Device;
  },
  fail: Fail<'FLOW_ENDED' | 'STEP_NOT_NEEDED' | 'CODE_WRONG' | 'NOT_FOUND' | 'TOO_MANY_ATTEMPTS'>,
): Promise<Enrolled> {
  const { gate, dataKeys, clock, flows, notify } = dependencies;
  const { flow, user } = await openTotp(flows, tenant, asked, fail);
  await countGuess(dependencies, tenant, user.id, fail);
  const id = newFactorId(clock.now());
  const [secret, sealed] = await dataKeys.use(tenant.id, (key) => {
    const plain = totpSecretOfFlow(key, flow.id, user.id);
    return [plain, seal(key, plain, totpPlace(tenant.id, id))] as const;
  });
  const step = (await findTotpStep(secret, code, clock.now())) ?? fail('CODE_WRONG');
  await giveBackAttempt(gate.into(tenant.id), guessSubject('totp', user.id), clock.now());
  const codes = newRecoveryCodes();
  const hashes = await hashesOf(dataKeys, tenant.id, user.id, codes);
  let factor: FactorRecord | undefined;
  const enrol = async (tx: TenantTx, { id: userId, authVersion }: FlowUser) => {
    const locked = await lockActiveUser(tx, userId);
    if (locked?.auth_version !== authVersion || locked.has_second_factor) return fail('FLOW_ENDED');
    const totp = { id, userId, name: name ?? TOTP_NAME, secret: sealed };
    const row = await insertConfirmedTotp(tx, totp, step);
    factor = presentFactor(tenant.id, row);
    const { authVersion: raised } = await completeEnrolment(
      tx,
      anonymous(device.from),
      row,
      hashes,
    );
    const kind = 'notice.factor_added';
    await notify(tx, tenant, { userId, kind, device: device.userAgent });
    return raised;
  };
  const answer = await flows.enrol(tenant, flow, 'totp', device, enrol, fail);
  return { ...answer, factor: factor ?? fail('FLOW_ENDED'), recovery_codes: codes };
}

async function openTotp(
  flows: Flows,
  tenant: Tenant,
  asked: AskedInFlow,
  fail: Fail<'FLOW_ENDED' | 'STEP_NOT_NEEDED'>,
): Promise<{ readonly flow: StoredFlow; readonly user: FlowUser }> {
  const { flowId, token } = asked;
  const flow = await flows.open(tenant, flowId, token, 'enrol', fail, 'totp');
  return { flow, user: flow.user ?? fail('FLOW_ENDED') };
}
