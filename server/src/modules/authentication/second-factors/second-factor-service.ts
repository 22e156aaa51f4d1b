import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Fail } from '@keywright/contract/errors';
import type { FactorId, LoginFlowId, TenantId, UserId } from '@keywright/contract/ids';
import type { FlowAnswer } from '@keywright/contract/records/login-flow';
import { unseal } from '../../../platform/crypto/sealed.ts';
import type { Device } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Change, type Notes, anonymous, recordAll } from '../../events/journal/index.ts';
import type { Notices } from '../../events/messages/index.ts';
import { rateLimitOf } from '../attempts/index.ts';
import { type Flows, type StoredFlow, deviceIn } from '../flows/index.ts';
import { type Shown, hasSuspended } from '../proofs/index.ts';
import {
  GUESS_LIMITS,
  TotpStore,
  guessSubject,
  replaceRecoveryCode,
  totpPlace,
} from './second-factor-store.ts';

type Refuse = Fail<
  'FLOW_ENDED' | 'STEP_NOT_NEEDED' | 'CODE_WRONG' | 'NOT_FOUND' | 'TOO_MANY_ATTEMPTS'
>;

interface FlowRef {
  readonly id: string;
  readonly token: string;
}

interface EnteredInFlow {
  readonly flow: StoredFlow;
  readonly userId: UserId;
  readonly device: Device;
}

/** The steps of a flow that prove a second factor by a code. */
export class SecondFactorService {
  readonly #gate: Gate;
  readonly #flows: Flows;
  readonly #verifier: SecondFactorVerifier;
  readonly #notes: Notes;
  readonly #notices: Notices;

  constructor(
    gate: Gate,
    flows: Flows,
    verifier: SecondFactorVerifier,
    notes: Notes,
    notices: Notices,
  ) {
    this.#gate = gate;
    this.#flows = flows;
    this.#verifier = verifier;
    this.#notes = notes;
    this.#notices = notices;
  }

  async proveTotp(
    tenant: Tenant,
    { id, token }: FlowRef,
    code: string,
    device: Device,
    fail: Refuse,
  ): Promise<FlowAnswer> {
    const flow = await this.#flows.open(tenant, id, token, 'totp', fail);
    const entered = enteredIn(tenant, flow, code, fail);
    const { userId } = entered;
    const checked = await this.#verifier.checkTotp(entered);
    if (checked.outcome !== 'accepted') {
      return this.#refuse(tenant, 'totp', { flow, userId, device }, checked, fail);
    }
    const step = { ...device, attempts: [attemptOf('totp', entered)] };
    const proof = { method: 'totp', ...checked.shown } as const;
    return this.#flows.commit(tenant, flow, { proof }, step, fail);
  }

  async proveRecoveryCode(
    tenant: Tenant,
    { id, token }: FlowRef,
    code: string,
    device: Device,
    fail: Refuse,
  ): Promise<FlowAnswer & { recovery_code: string }> {
    const flow = await this.#flows.open(tenant, id, token, 'recovery_code', fail);
    const entered = enteredIn(tenant, flow, code, fail);
    const { userId } = entered;
    const checked = await this.#verifier.checkRecoveryCode(entered);
    if (checked.outcome !== 'accepted') {
      return this.#refuse(tenant, 'recovery_code', { flow, userId, device }, checked, fail);
    }
    const step = { ...device, attempts: [attemptOf('recovery_code', entered)] };
    const proof = { method: 'recovery_code', ...checked.shown } as const;
    const answer = await this.#flows.commit(tenant, flow, { proof }, step, fail);
    return { ...answer, recovery_code: checked.next };
  }

  async #refuse(
    tenant: Tenant,
    method: 'totp' | 'recovery_code',
    { flow, userId, device }: EnteredInFlow,
    refused: RefusedCode,
    fail: Refuse,
  ): Promise<never> {
    this.#notes.note(tenant.id, anonymous(device.from), {
      action: 'auth.login_failed',
      method: 'second_factor',
      device,
      target: { kind: 'user', id: userId },
      outcome: 'failure',
      details: { reason: `${method}_${refused.outcome}`, identifier: null, flow_id: flow.id },
    });
    const suspended = refused.outcome === 'wrong' ? refused.suspended : [];
    if (suspended.length > 0) {
      const changes = suspended.map((factor) => suspension(factor, userId));
      await this.#gate
        .into(tenant.id)
        .transaction((tx) => recordAll(tx, anonymous(device.from), changes));
    }
    await notifyRefusedFactor(this.#gate, this.#notices, tenant, userId, device);
    if (refused.outcome === 'wrong') return fail('CODE_WRONG');
    if (refused.outcome === 'spent') return fail('FLOW_ENDED');
    const limits = [rateLimitOf('user', GUESS_LIMITS)];
    return fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds: refused.retryAfterSeconds, limits });
  }
}

function enteredIn(
  tenant: Tenant,
  flow: StoredFlow,
  code: string,
  fail: Fail<'FLOW_ENDED'>,
): EnteredCode {
  const { id: userId } = flow.user ?? fail('FLOW_ENDED');
  const knownDevice = deviceIn(flow);
  return { tenantId: tenant.id, userId, challengeId: flow.id, knownDevice, code };
}

/** The counted guess, which is refunded when the flow completes. */
function attemptOf(method: 'totp' | 'recovery_code', { userId, knownDevice }: EnteredCode) {
  return { kind: 'identifier', subject: guessSubject(method, userId, knownDevice) } as const;
}

function suspension(id: FactorId, userId: UserId): Change {
  const reason = 'too_many_failures';
  return {
    action: 'factor.suspicious',
    target: { kind: 'factor', id },
    details: { user_id: userId, reason },
    events: [{ type: 'factor.suspicious', data: { factor_id: id, user_id: userId, reason } }],
  };
}

/** Notifies a user of a refused second factor: the caller has already proven the password or the mailbox. */
export async function notifyRefusedFactor(
  gate: Gate,
  notices: Notices,
  tenant: Tenant,
  userId: UserId,
  device: Device,
): Promise<void> {
  if (!tenant.sendsMail) return;
  const kind = 'notice.second_factor_refused';
  await gate
    .into(tenant.id)
    .transaction((tx) =>
      notices.notify(tx, tenant, { userId, kind, device, oncePerSeconds: 3600 }),
    );
}

interface Accepted {
  readonly outcome: 'accepted';
  readonly shown: Shown;
  readonly factorId: FactorId;
}

export type RefusedCode =
  /** `suspended`: the factors that this guess has suspended. */
  | { readonly outcome: 'wrong'; readonly suspended: readonly FactorId[] }
  /** The flow accepts no more guesses. */
  | { readonly outcome: 'spent' }
  | { readonly outcome: 'throttled'; readonly retryAfterSeconds: number };

/** The result of a guess at a second factor. */
type CheckedCode = Accepted | RefusedCode;

/** A code, the user that it should belong to, and its flow. */
export interface EnteredCode {
  readonly tenantId: TenantId;
  readonly userId: UserId;
  readonly challengeId: string;
  /** The ID of the known device where the code was entered; undefined on any other device. */
  readonly knownDevice: string | undefined;
  readonly code: string;
}

/** Checks the codes of second factors, and counts the guesses. */
export class SecondFactorVerifier {
  readonly #core: Core;
  readonly #totps: TotpStore;

  constructor(core: Core) {
    this.#core = core;
    this.#totps = new TotpStore(core.gate);
  }

  /** Checks the code of an authenticator app. */
  async checkTotp({ code, ...entered }: EnteredCode): Promise<CheckedCode> {
    const { dataKeys, clock } = this.#core;
    const { tenantId, userId } = entered;
    const guess = { ...entered, now: clock.now() };
    const rows = await this.#totps.guess(guess);
    const refused = refusalOf(rows[0]);
    if (refused) return refused;
    const factors = rows.flatMap((row) => (row.factor_id === null ? [] : [row]));
    const secrets = await dataKeys.use(tenantId, (key) =>
      factors.map(({ factor_id: id, totp_secret: sealed }) =>
        unseal(key, sealed, totpPlace(tenantId, id)),
      ),
    );
    for (const [index, { factor_id: factorId }] of factors.entries()) {
      const step = await findTotpStep(secrets[index] as Buffer, code, guess.now);
      if (step === undefined) continue;
      const authVersion = await this.#totps.accept({ ...guess, factor: factorId, step });
      if (authVersion !== undefined) {
        return { outcome: 'accepted', shown: { userId, authVersion }, factorId };
      }
    }
    const suspended = factors.filter(({ failures }) => hasSuspended(failures));
    return { outcome: 'wrong', suspended: suspended.map(({ factor_id: id }) => id) };
  }

  /** Checks a recovery code. The next code replaces it, and is shown once. */
  async checkRecoveryCode({
    code,
    ...entered
  }: EnteredCode): Promise<RefusedCode | (Accepted & { readonly next: string })> {
    const { gate, dataKeys, clock } = this.#core;
    const { tenantId, userId } = entered;
    const next = newRecoveryCode();
    const hashes = await dataKeys.use(tenantId, (key) => ({
      code: recoveryCodeHash(key, userId, code),
      next: recoveryCodeHash(key, userId, next),
    }));
    const guess = { ...entered, now: clock.now() };
    const row = await replaceRecoveryCode(gate.into(tenantId), guess, hashes);
    const refused = refusalOf(row);
    if (refused) return refused;
    const { factor_id: factorId = null, auth_version: authVersion = null } = row ?? {};
    if (factorId === null) return { outcome: 'wrong', suspended: [] };
    if (authVersion !== null) {
      return { outcome: 'accepted', shown: { userId, authVersion }, factorId, next };
    }
    const isSuspended = hasSuspended(row?.failures ?? 0);
    return { outcome: 'wrong', suspended: isSuspended ? [factorId] : [] };
  }
}

interface CountedGuess {
  readonly retry_after: number | null;
  readonly is_spent: boolean;
}

function refusalOf(row: CountedGuess | undefined): RefusedCode | undefined {
  if (row?.is_spent) return { outcome: 'spent' };
  const wait = row?.retry_after ?? null;
  return wait === null ? undefined : { outcome: 'throttled', retryAfterSeconds: wait };
}

const TOTP_PERIOD_SECONDS = 30;
/** The parameters that all authenticator apps support. */
const TOTP_PARAMETERS = { algorithm: 'SHA1', digits: 6, period: TOTP_PERIOD_SECONDS } as const;
/** RFC 4226 §4 R6. */
const TOTP_SECRET_BYTES = 20;
/** Codes of the previous and the next time step are also accepted (RFC 6238 §5.2). */
const TOTP_WINDOW = 1;

export function newTotpSecret(): Buffer {
  return randomBytes(TOTP_SECRET_BYTES);
}

/** A user's secret for enrolling in a flow: not stored until it is confirmed, and the same whenever it is shown. */
export function totpSecretOfFlow(dataKey: Buffer, flowId: LoginFlowId, userId: UserId): Buffer {
  const info = `keywright totp enrollment ${flowId} ${userId}`;
  return Buffer.from(hkdfSync('sha256', dataKey, '', info, TOTP_SECRET_BYTES));
}

/** What an authenticator app displays next to its codes. */
interface TotpLabel {
  readonly issuer: string;
  readonly account: string;
}

/** The secret as text to type, and as the URI of a QR code. */
export async function presentTotpSecret(
  secret: Buffer,
  { issuer, account: label }: TotpLabel,
): Promise<{ secret: string; uri: string }> {
  const totp = await totpOf(secret, { issuer, label });
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** Returns the time step of a code; undefined if the code is wrong. */
export async function findTotpStep(
  secret: Buffer,
  code: string,
  now: Date,
): Promise<number | undefined> {
  const timestamp = now.getTime();
  const totp = await totpOf(secret);
  const delta = totp.validate({ token: code, timestamp, window: TOTP_WINDOW });
  return delta === null ? undefined : totp.counter({ timestamp }) + delta;
}

/** Loaded on first use. */
async function totpOf(
  secret: Buffer,
  label: { readonly issuer?: string; readonly label?: string } = {},
) {
  const { Secret, TOTP } = await import('otpauth');
  return new TOTP({
    ...TOTP_PARAMETERS,
    ...label,
    secret: new Secret({ buffer: Uint8Array.from(secret).buffer }),
  });
}

const CODE_COUNT = 10;
const CODE_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CODE_LENGTH = 24;
const CODE_GROUP = /.{6}(?=.)/g;

/** Ten codes of 120 bits each, in groups. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODE_COUNT }, newRecoveryCode);
}

function newRecoveryCode(): string {
  const characters = Array.from(randomBytes(CODE_LENGTH), (byte) =>
    CODE_ALPHABET.charAt(byte & 31),
  );
  return characters.join('').replaceAll(CODE_GROUP, '$&-');
}

/**
 * The stored hash of a code.
 * @param dataKey the data key of the user's tenant
 */
export function recoveryCodeHash(dataKey: Buffer, userId: UserId, code: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', dataKey, '', 'keywright recovery codes', 32));
  return createHmac('sha256', key)
    .update(`${userId} ${normalized(code)}`)
    .digest();
}

/** Normalizes Crockford's base32 as users type it: any case, with or without hyphens, letters for similar digits. */
function normalized(code: string): string {
  return code.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll(/[il]/g, '1').replaceAll('o', '0');
}
