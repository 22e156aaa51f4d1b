import type { Fail } from '@keywright/contract/errors';
import type { UserId } from '@keywright/contract/ids';
import type { PasskeyAssertion, PasskeyRequestOptions } from '@keywright/contract/records/passkey';
import type { IdentifierRecord } from '@keywright/contract/records/user';
import { type Origin, hashShare } from '../../../tenancy/caller.ts';
import { counted } from '../../../tenancy/counters.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import { type Tenant, relyingPartyOf } from '../../../tenancy/tenant.ts';
import {
  countAttempt,
  giveBackAttempt,
  rateLimitOf,
  requireRoomOfAddress,
} from '../../authentication/attempts/index.ts';
import {
  copiedPasskey,
  isUndoChallenge,
  readClientData,
  requestOptions,
  undoChallenge,
  verifyAssertion,
} from '../../authentication/passkeys/index.ts';
import {
  GUESS_LIMITS,
  type SecondFactorVerifier,
} from '../../authentication/second-factors/index.ts';
import { anonymous, record, sessionRevoked } from '../../events/journal/index.ts';
import { type Notices, newUndoId, undoOfToken } from '../../events/messages/index.ts';
import { endSessionsOf, hasLoggedIn } from '../../tokens/sessions/index.ts';
import {
  type StoredUndo,
  findFactorTypes,
  findSecretHash,
  findUndosOf,
  findUser,
  findUserOfUndo,
  forgetUndos,
  insertUndo,
  lockPasskey,
  presentUser,
  raiseAuthVersion,
  replaceIdentifiers,
  usePasskey,
} from '../users/index.ts';

export const LIFE_MS = 7 * 24 * 60 * 60 * 1000;
/** The number of requests that one network address can send per minute. */
const ADDRESS_LIMITS = { login_attempts_limit: 30, login_attempts_window: 60 } as const;
const ADDRESS_LIMIT = { counter: 'undo' as const, limits: ADDRESS_LIMITS };
/** Limits wrong proofs per user while a change can be undone. They are too few to suspend a second factor. */
const PROOF_LIMITS = { login_attempts_limit: 10, login_attempts_window: LIFE_MS / 1000 } as const;
const REASON = 'identifiers_restored';
const REFUSED = 'This secret is wrong, was already used, or can no longer undo anything.';
const UNPROVEN =
  'Undoing this change requires a proof that the account had earlier: its password, a code of an authenticator app, or a passkey.';
/** The counter for codes that undo a change, used instead of a known device. */
const UNDO_DEVICE = 'undo';

type Refuse = Fail<'FLOW_ENDED' | 'PROOF_REQUIRED' | 'TOO_MANY_ATTEMPTS' | 'TOO_BUSY'>;

/** The secret from a message, and a proof from before the change. */
interface UndoRequest {
  readonly token: string;
  readonly password: string | undefined;
  /** The code from an authenticator app. */
  readonly code: string | undefined;
  readonly passkey: PasskeyAssertion | undefined;
}

/** The proofs that the account had before the change. Any of them undoes it; without any, the token is enough. */
interface UndoProofs {
  readonly password: boolean;
  readonly totp: boolean;
  readonly passkey: boolean;
  /** The account had proofs, but none of them is left. */
  readonly isLost: boolean;
}

interface FoundUndo {
  readonly user: { readonly id: UserId };
  readonly changes: UndoableChanges;
}

/** Lets the reader of a previous address undo changes to identifiers. */
export class UndoService {
  readonly #core: Core;
  readonly #notices: Notices;
  readonly #secondFactors: SecondFactorVerifier;

  constructor(core: Core, notices: Notices, secondFactors: SecondFactorVerifier) {
    this.#core = core;
    this.#notices = notices;
    this.#secondFactors = secondFactors;
  }

  /**
   * Restores the identifiers for a reader of the message who presents a proof from before the change. Opens no session.
   * Reading the email of an address is enough only if the account had no other proof, and only until the next login.
   */
  async undo(tenant: Tenant, request: UndoRequest, from: Origin, fail: Refuse): Promise<void> {
    const { gate, clock, dataKeys } = this.#core;
    await requireRoomOfAddress({ gate, clock }, tenant, from, ADDRESS_LIMIT, fail);
    const refuse = () => fail('FLOW_ENDED', { detail: REFUSED });
    const id =
      (await dataKeys.use(tenant.id, (key) => undoOfToken(key, request.token))) ?? refuse();
    const data = gate.into(tenant.id);
    const found = (await data.transaction((tx) => findUndoable(tx, id, false))) ?? refuse();
    await this.#requireProof(tenant, found, request, from, fail);
    await data.transaction(async (tx) => {
      // The user might have logged in or undone the change in the meantime.
      const { user, changes } = (await findUndoable(tx, id, true)) ?? refuse();
      if (changes.first.id !== found.changes.first.id) refuse();
      await forgetUndos(tx, user.id);
      const notice = { userId: user.id, kind: 'notice.identifiers_restored' } as const;
      // Includes the addresses that are removed.
      const notified = await this.#notices.notify(tx, tenant, notice);
      const identifiers = await restore(tx, user.id, changes.first.identifiers);
      // Without a verified identifier, a reader of another address could take over the account.
      if (!identifiers.some(({ verified }) => verified)) refuse();
      const sessions = await endSessionsOf(tx, user.id, REASON);
      await raiseAuthVersion(tx, user.id);
      await this.#notices.notify(tx, tenant, { ...notice, except: notified });
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

  /**
   * Returns the proofs that a page asks for. A request with a genuine token counts against the undo limit of its
   * network address.
   * @returns undefined if the token undoes nothing
   */
  async findProofs(
    tenant: Tenant,
    token: string,
    from: Origin,
    fail: Fail<'TOO_MANY_ATTEMPTS'>,
  ): Promise<UndoProofs | undefined> {
    const { gate, clock, dataKeys } = this.#core;
    const id = await dataKeys.use(tenant.id, (key) => undoOfToken(key, token));
    if (!id) return undefined;
    await requireRoomOfAddress({ gate, clock }, tenant, from, ADDRESS_LIMIT, fail);
    return gate.into(tenant.id).transaction(async (tx) => {
      const found = await findUndoable(tx, id, false);
      if (!found) return undefined;
      const { first } = found.changes;
      const types = await findFactorTypes(tx, found.user.id, first.factors);
      const password = first.secret_hash !== null;
      const totp = types.has('totp');
      const passkey = types.has('passkey') && relyingPartyOf(tenant) !== undefined;
      return { password, totp, passkey, isLost: hadProof(first) && !password && !totp && !passkey };
    });
  }

  /** The options for a passkey that undoes a change. They list no passkeys, because only the mailbox is proven. */
  async offerPasskey(
    tenant: Tenant,
    undoToken: string,
    from: Origin,
    fail: Fail<'FLOW_ENDED' | 'STEP_NOT_NEEDED' | 'TOO_MANY_ATTEMPTS'>,
  ): Promise<PasskeyRequestOptions> {
    const { clock, dataKeys } = this.#core;
    const proofs =
      (await this.findProofs(tenant, undoToken, from, fail)) ??
      fail('FLOW_ENDED', { detail: REFUSED });
    const party = (proofs.passkey && relyingPartyOf(tenant)) || fail('STEP_NOT_NEEDED');
    const of = { undoToken, rpId: party.id };
    const challenge = await dataKeys.use(tenant.id, (key) => undoChallenge(key, of, clock.now()));
    return requestOptions(party, challenge, []);
  }

  /** Limits wrong proofs by user, not by network address. Proofs that were not compared are not counted. */
  async #requireProof(
    tenant: Tenant,
    { user, changes: { first } }: FoundUndo,
    request: UndoRequest,
    from: Origin,
    fail: Refuse,
  ): Promise<void> {
    if (!hadProof(first)) return;
    const { gate, clock } = this.#core;
    const refuse = () => fail('PROOF_REQUIRED', { detail: UNPROVEN });
    const { token, password, code, passkey } = request;
    if (passkey !== undefined) {
      if (!(await this.#isEarlierPasskey(tenant, user.id, first, token, passkey, from))) refuse();
      return;
    }
    if (password === undefined && code === undefined) refuse();
    const data = gate.into(tenant.id);
    const subject = counted('undo proof', user.id);
    const wait = await countAttempt(data, PROOF_LIMITS, subject, clock.now());
    if (wait !== undefined) {
      const limits = [rateLimitOf('user', PROOF_LIMITS)];
      fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds: wait, limits });
    }
    let isWrong = false;
    try {
      const isRight =
        code === undefined
          ? this.#isEarlierPassword(tenant, first, password ?? '', from)
          : this.#isCodeOfEarlierFactor(tenant, user.id, first, code, fail);
      isWrong = !(await isRight);
    } finally {
      if (!isWrong) await giveBackAttempt(data, subject, clock.now());
    }
    if (isWrong) refuse();
  }

  #isEarlierPassword(
    tenant: Tenant,
    { secret_hash: hash }: StoredUndo,
    password: string,
    from: Origin,
  ): Promise<boolean> {
    const share = hashShare(tenant.id, from);
    return this.#core.passwords.verify(hash ?? undefined, password, share);
  }

  /** An authenticator that was added after the change could belong to an attacker. */
  async #isCodeOfEarlierFactor(
    tenant: Tenant,
    userId: UserId,
    { id: challengeId, factors }: StoredUndo,
    code: string,
    fail: Refuse,
  ): Promise<boolean> {
    // The counter is separate from that of logins, so that an attacker's guesses at logins do not use it up.
    const entered = { tenantId: tenant.id, userId, challengeId, knownDevice: UNDO_DEVICE, code };
    const checked = await this.#secondFactors.checkTotp(entered);
    if (checked.outcome === 'spent' || checked.outcome === 'throttled') {
      const { login_attempts_window: window } = GUESS_LIMITS;
      const retryAfterSeconds = checked.outcome === 'spent' ? window : checked.retryAfterSeconds;
      const limits = [rateLimitOf('user', GUESS_LIMITS)];
      return fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds, limits });
    }
    return checked.outcome === 'accepted' && factors.includes(checked.factorId);
  }

  /** A passkey added after the change could be an attacker's. Signatures cannot be guessed, so they are not counted. */
  async #isEarlierPasskey(
    tenant: Tenant,
    userId: UserId,
    { factors }: StoredUndo,
    undoToken: string,
    assertion: PasskeyAssertion,
    from: Origin,
  ): Promise<boolean> {
    const { gate, clock, dataKeys } = this.#core;
    const party = relyingPartyOf(tenant);
    const clientData =
      party && readClientData(assertion.response.clientDataJSON, 'webauthn.get', party);
    if (!party || !clientData) return false;
    const of = { undoToken, rpId: party.id };
    const { challenge } = clientData;
    const isIssued = await dataKeys.use(tenant.id, (key) =>
      isUndoChallenge(key, of, challenge, clock.now()),
    );
    if (!isIssued) return false;
    return gate.into(tenant.id).transaction(async (tx) => {
      const passkey = await lockPasskey(tx, userId, Buffer.from(assertion.id, 'base64url'));
      if (!passkey || passkey.rpId !== party.id || !factors.includes(passkey.id)) return false;
      const expected = { clientData, party, passkey, isUserProven: false };
      const asserted = verifyAssertion(assertion, expected);
      if (!asserted) return false;
      if (await usePasskey(tx, userId, passkey.id, asserted)) return true;
      await record(tx, anonymous(from), copiedPasskey(passkey.id, userId));
      return false;
    });
  }
}

interface PreviousState {
  readonly userId: UserId;
  readonly authVersion: number;
  readonly identifiers: readonly IdentifierRecord[];
}

/** Creates the secret in the notice of a change, with which each notified address can undo it. */
export function undoFor(tx: TenantTx, { userId, authVersion, identifiers }: PreviousState) {
  const expires_at = new Date(tx.now.getTime() + LIFE_MS);
  return async (destination: string): Promise<string | null> => {
    const id = newUndoId();
    const undo = { id, auth_version: authVersion, destination, identifiers, expires_at };
    return (await insertUndo(tx, userId, undo)) ? id : null;
  };
}

/** @returns undefined if nothing can be undone, or the time to undo it is over */
async function findUndoable(
  tx: TenantTx,
  id: string,
  isLocked: boolean,
): Promise<FoundUndo | undefined> {
  const user = await findUserOfUndo(tx, id, isLocked);
  if (!user) return undefined;
  const changes = undoableChangesOf(id, await findUndosOf(tx, user.id), tx.now);
  if (!changes || (await hasMoved(tx, user.id, changes))) return undefined;
  return { user, changes };
}

/** Whether the user has logged in since the address was removed, by a method that an attacker could not use. */
async function hasMoved(
  tx: TenantTx,
  userId: UserId,
  { first, last }: UndoableChanges,
): Promise<boolean> {
  const row = await findUser(tx, userId);
  const present = row ? presentUser(row).identifiers : [];
  if (present.some(({ identifier }) => identifier === last.destination)) return false;
  const since = new Date(last.expires_at.getTime() - LIFE_MS);
  const methods = endingMethods(first, await findSecretHash(tx, userId));
  return hasLoggedIn(tx, userId, since, methods);
}

/** Restores the identifiers, except those of other users. @returns the identifiers of the locked user */
async function restore(
  tx: TenantTx,
  userId: UserId,
  previous: readonly IdentifierRecord[],
): Promise<readonly IdentifierRecord[]> {
  if (await replaceIdentifiers(tx, userId, previous)) return previous;
  const row = await findUser(tx, userId);
  const free = row ? presentUser(row).identifiers : [];
  // Written again, so that there are no gaps in the positions.
  if (free.length > 0) await replaceIdentifiers(tx, userId, free);
  return free;
}

/** The maximum number of identifiers of a user. */
export const MAX_IDENTIFIERS = 16;

/**
 * Whether an identifier can be removed. Without an identifier, the user could not log in. Without a verified one, a
 * reader of another identifier's email could take over the account.
 */
export function mayRemove(
  present: readonly IdentifierRecord[],
  remaining: readonly IdentifierRecord[],
): boolean {
  const isVerified = ({ verified }: IdentifierRecord) => verified;
  return remaining.length > 0 && (remaining.some(isVerified) || !present.some(isVerified));
}

/** The range of changes that a token undoes. */
interface UndoableChanges {
  /** The first change that the address was notified of. Its identifiers and proofs are from before that change. */
  readonly first: StoredUndo;
  readonly last: StoredUndo;
}

/**
 * The changes that the address of an undo was notified of. Any of its messages undoes all of them.
 * @param undos all undos of the user, oldest first
 * @returns undefined if the undo does not exist, or has expired
 */
function undoableChangesOf(
  id: string,
  undos: readonly StoredUndo[],
  now: Date,
): UndoableChanges | undefined {
  const usable = undos.filter((undo) => undo.expires_at > now);
  const used = usable.find((undo) => undo.id === id);
  const notified = usable.filter((undo) => undo.destination === used?.destination);
  const [first, last] = [notified[0], notified.at(-1)];
  return first && last && { first, last };
}

/** Whether the account had a proof other than reading email at an address. */
function hadProof({ secret_hash: hash, factors }: StoredUndo): boolean {
  return hash !== null || factors.length > 0;
}

const SECOND_FACTORS = ['otp', 'pop', 'recovery', 'mfa'];

/**
 * The methods that end the undo: a later login by one of them shows that the user no longer reads the removed address.
 * An attacker might have added the address of a login by email, so it proves nothing if the account had more.
 * @param secretHash the hash of the present password
 * @returns undefined if any login ends it; empty if none does, because an attacker might have set this password
 */
function endingMethods(
  { secret_hash: before, factors }: StoredUndo,
  secretHash: string | undefined,
): readonly string[] | undefined {
  if (before !== null) return before === secretHash ? ['pwd'] : [];
  return factors.length > 0 ? SECOND_FACTORS : undefined;
}
