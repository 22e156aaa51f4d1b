import type { Fail } from '@keywright/contract/errors';
import type { UserId } from '@keywright/contract/ids';
import type { PasskeyAssertion, PasskeyRequestOptions } from '@keywright/contract/records/passkey';
import type { IdentifierRecord } from '@keywright/contract/records/user';
import type { Clock } from '../../../platform/clock.ts';
import type { PasswordHasher } from '../../../platform/crypto/password.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import { counted } from '../../../tenancy/counters.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import { hashShare } from '../../../tenancy/hash-share.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import {
  countAttempt,
  giveBackAttempt,
  rateLimitOf,
  requireRoomOfAddress,
} from '../../authentication/attempts/index.ts';
import { newUndoId, undoOfToken, type Notify } from '../../events/messages/index.ts';
import {
  checkTotp,
  GUESS_LIMITS,
  type TotpStore,
} from '../../authentication/second-factors/index.ts';
import { relyingPartyOf } from '../../../tenancy/login-methods.ts';
import { anonymous, record, sessionRevoked } from '../../events/journal/index.ts';
import { endSessionsOf } from '../../tokens/sessions/index.ts';
import {
  findSecretHash,
  findUser,
  forgetUndos,
  presentUser,
  raiseAuthVersion,
  replaceIdentifiers,
} from '../users/index.ts';
import { endingMethods, hadProof, type Undoing, undoingOf } from './rules.ts';
import { isPasskeyOfBefore, passkeyOptions } from './undo-passkey.ts';
import {
  findFactorTypes,
  findUndosOf,
  findUserOf,
  hasLoggedIn,
  insertUndo,
  type StoredUndo,
} from './undo-store.ts';

export interface UndoDependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly dataKeys: DataKeys;
  readonly notify: Notify;
  readonly passwords: PasswordHasher;
  readonly totps: TotpStore;
}

const LIFE_MS = 7 * 24 * 60 * 60 * 1000;
/** Requests of one address in a minute. */
const LIMITS = { login_attempts_limit: 30, login_attempts_window: 60 } as const;
const ROOM = { counter: 'undo' as const, limits: LIMITS };
/** Wrong proofs for one user, as long as a change can be undone: too few to suspend a second factor. */
const PROOFS = { login_attempts_limit: 10, login_attempts_window: LIFE_MS / 1000 } as const;
const REASON = 'identifiers_restored';

interface Before {
  readonly userId: UserId;
  readonly authVersion: number;
  readonly identifiers: readonly IdentifierRecord[];
}

/** For the notice of a change: what each address that is told of it can undo it with. */
export function undoFor(tx: TenantTx, { userId, authVersion, identifiers }: Before) {
  const expires_at = new Date(tx.now.getTime() + LIFE_MS);
  return async (destination: string): Promise<string | null> => {
    const id = newUndoId();
    const given = { id, auth_version: authVersion, destination, identifiers, expires_at };
    return (await insertUndo(tx, userId, given)) ? id : null;
  };
}

const REFUSED = 'This secret is wrong, has been used, or undoes nothing any more.';
const UNPROVEN =
  'Undoing this change requires a proof that the account had before: its password, a code of an authenticator app, or a passkey.';

type Refuse = Fail<'FLOW_ENDED' | 'PROOF_REQUIRED' | 'TOO_MANY_ATTEMPTS' | 'TOO_BUSY'>;

/** The secret of a message, and a proof beside it. */
interface Given {
  readonly token: string;
  readonly password: string | undefined;
  /** Of an authenticator app. */
  readonly code: string | undefined;
  readonly passkey: PasskeyAssertion | undefined;
}

/**
 * Takes the account back for whoever read the message and proves what the account had before, but not into a session.
 * The mail of an address alone is enough only for an account that had nothing else, until somebody logs in.
 */
export async function undo(
  dependencies: UndoDependencies,
  tenant: Tenant,
  given: Given,
  from: Origin,
  fail: Refuse,
): Promise<void> {
  const { gate, dataKeys, notify } = dependencies;
  await requireRoomOfAddress(dependencies, tenant, from, ROOM, fail);
  const refuse = () => fail('FLOW_ENDED', { detail: REFUSED });
  const id = (await dataKeys.use(tenant.id, (key) => undoOfToken(key, given.token))) ?? refuse();
  const asked =
    (await gate.into(tenant.id).transaction((tx) => findUndoing(tx, id, false))) ?? refuse();
  await requireProof(dependencies, tenant, asked, given, from, fail);
  await gate.into(tenant.id).transaction(async (tx) => {
    // Between the two, the user may have logged in, or undone it.
    const { user, undoing } = (await findUndoing(tx, id, true)) ?? refuse();
    if (undoing.first.id !== asked.undoing.first.id) refuse();
    await forgetUndos(tx, user.id);
    const notice = { userId: user.id, kind: 'notice.identifiers_restored' } as const;
    // Also the addresses that go.
    const told = await notify(tx, tenant, notice);
    const identifiers = await restore(tx, user.id, undoing.first.identifiers);
    // An account without a verified one would pass to whoever reads the mail of another.
    if (!identifiers.some((one) => one.verified)) refuse();
    const sessions = await endSessionsOf(tx, user.id, REASON);
    await raiseAuthVersion(tx, user.id);
    await notify(tx, tenant, { ...notice, except: told });
    await record(tx, anonymous(from), {
      action: 'identifier.restored',
      target: { kind: 'user', id: user.id },
      details: { sessions: sessions.length },
      events: [
        { type: 'user.updated', data: { user_id: user.id, fields: ['identifiers'] } },
        ...sessions.map((session) => sessionRevoked(session, REASON)),
      ],
    });
  });
}

/** Proofs that the account had before the change, one of which undoes it; none: the token is enough. */
interface UndoProofs {
  readonly password: boolean;
  readonly totp: boolean;
  readonly passkey: boolean;
  /** Whether the account had a proof and none of them is left. */
  readonly isLost: boolean;
}

/** @returns undefined if the token undoes nothing */
export type ReadUndo = (
  tenant: Tenant,
  token: string,
  from: Origin,
  fail: Fail<'TOO_MANY_ATTEMPTS'>,
) => Promise<UndoProofs | undefined>;

/** What a page asks for. With a genuine token it counts as an undo of its address. */
export function createReadUndo(
  dependencies: Pick<UndoDependencies, 'gate' | 'clock' | 'dataKeys'>,
): ReadUndo {
  const { gate, dataKeys } = dependencies;
  return async (tenant, token, from, fail) => {
    const id = await dataKeys.use(tenant.id, (key) => undoOfToken(key, token));
    if (!id) return undefined;
    await requireRoomOfAddress(dependencies, tenant, from, ROOM, fail);
    return gate.into(tenant.id).transaction(async (tx) => {
      const asked = await findUndoing(tx, id, false);
      if (!asked) return undefined;
      const { first } = asked.undoing;
      const types = await findFactorTypes(tx, asked.user.id, first.factors);
      const password = first.secret_hash !== null;
      const totp = types.has('totp');
      const passkey = types.has('passkey') && relyingPartyOf(tenant) !== undefined;
      return { password, totp, passkey, isLost: hadProof(first) && !password && !totp && !passkey };
    });
  };
}

/** The options for a passkey that undoes a change. */
export async function offerPasskey(
  dependencies: Pick<UndoDependencies, 'gate' | 'clock' | 'dataKeys'>,
  tenant: Tenant,
  token: string,
  from: Origin,
  fail: Fail<'FLOW_ENDED' | 'STEP_NOT_NEEDED' | 'TOO_MANY_ATTEMPTS'>,
): Promise<PasskeyRequestOptions> {
  const readUndo = createReadUndo(dependencies);
  const proofs =
    (await readUndo(tenant, token, from, fail)) ?? fail('FLOW_ENDED', { detail: REFUSED });
  const party = (proofs.passkey && relyingPartyOf(tenant)) || fail('STEP_NOT_NEEDED');
  return passkeyOptions(dependencies, tenant, token, party);
}

interface Asked {
  readonly user: { readonly id: UserId };
  readonly undoing: Undoing;
}

/** @returns undefined if nothing can be undone, or not any more */
async function findUndoing(
  tx: TenantTx,
  id: string,
  isLocked: boolean,
): Promise<Asked | undefined> {
  const user = await findUserOf(tx, id, isLocked);
  const undoing = user && undoingOf(id, await findUndosOf(tx, user.id), tx.now);
  if (!undoing || (await hasMoved(tx, user.id, undoing))) return undefined;
  return { user, undoing };
}

/** Whether the user has logged in since the address was removed, in a way that a stranger could not. */
async function hasMoved(tx: TenantTx, userId: UserId, { first, last }: Undoing): Promise<boolean> {
  const row = await findUser(tx, userId);
  const present = row ? presentUser(row).identifiers : [];
  if (present.some((one) => one.identifier === last.destination)) return false;
  const since = new Date(last.expires_at.getTime() - LIFE_MS);
  const methods = endingMethods(first, await findSecretHash(tx, userId));
  return hasLoggedIn(tx, userId, since, methods);
}

/** Wrong proofs are limited for each user, not for each address that tries. One that was not compared is not counted. */
async function requireProof(
  dependencies: UndoDependencies,
  tenant: Tenant,
  { user, undoing: { first } }: Asked,
  { token, password, code, passkey }: Given,
  from: Origin,
  fail: Refuse,
): Promise<void> {
  if (!hadProof(first)) return;
  const { gate, clock, passwords } = dependencies;
  const refuse = () => fail('PROOF_REQUIRED', { detail: UNPROVEN });
  if (passkey !== undefined) {
    const given = { token, userId: user.id, assertion: passkey };
    if (!(await isPasskeyOfBefore(dependencies, tenant, first, given, from))) refuse();
    return;
  }
  const data = gate.into(tenant.id);
  const subject = counted('undo proof', user.id);
  const check = async (): Promise<boolean> => {
    if (code === undefined) {
      const share = hashShare(tenant.id, from);
      return passwords.verify(first.secret_hash ?? undefined, password ?? '', share);
    }
    const guess = { tenantId: tenant.id, userId: user.id, challengeId: first.id, code };
    return isCodeOfBefore(dependencies, first, guess, fail);
  };
  if (password === undefined && code === undefined) refuse();
  const wait = await countAttempt(data, PROOFS, subject, clock.now());
  if (wait !== undefined) {
    fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds: wait, limits: [rateLimitOf('user', PROOFS)] });
  }
  let isWrong = false;
  try {
    isWrong = !(await check());
  } finally {
    if (!isWrong) await giveBackAttempt(data, subject, clock.now());
  }
  if (isWrong) refuse();
}

/** What codes that undo a change are counted by, instead of a known device. */
const UNDO = 'undo';

/** A code of an authenticator that was added after the change may be the stranger's. */
async function isCodeOfBefore(
  dependencies: UndoDependencies,
  { factors }: StoredUndo,
  guess: Omit<Parameters<typeof checkTotp>[1], 'known'>,
  fail: Refuse,
): Promise<boolean> {
  // The reader of the address has proven more than a stranger, whose guesses at logins must not use these up.
  const checked = await checkTotp(dependencies, { ...guess, known: UNDO });
  if (checked.outcome === 'spent' || checked.outcome === 'throttled') {
    const { login_attempts_window: window } = GUESS_LIMITS;
    const retryAfterSeconds = checked.outcome === 'spent' ? window : checked.retryAfterSeconds;
    return fail('TOO_MANY_ATTEMPTS', {
      retryAfterSeconds,
      limits: [rateLimitOf('user', GUESS_LIMITS)],
    });
  }
  return checked.outcome === 'right' && factors.includes(checked.factorId);
}

/** Those of somebody else stay theirs. @returns what the locked user has now */
async function restore(
  tx: TenantTx,
  userId: UserId,
  wanted: readonly IdentifierRecord[],
): Promise<readonly IdentifierRecord[]> {
  if (await replaceIdentifiers(tx, userId, wanted)) return wanted;
  const row = await findUser(tx, userId);
  const free = row ? presentUser(row).identifiers : [];
  // Once more, so that their places have no gaps.
  if (free.length > 0) await replaceIdentifiers(tx, userId, free);
  return free;
}
