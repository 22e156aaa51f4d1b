import type { Fail } from '@keywright/contract/errors';
import { type Identifier, parseIdentifier } from '@keywright/contract/identifiers';
import type { IdentifierRecord } from '@keywright/contract/records/user';
import { type Tenant, channelOf, channelsOf } from '../../../tenancy/tenant.ts';
import type { UserCaller } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import { giveBackAttempt, rateLimitOf } from '../../authentication/attempts/index.ts';
import {
  type Challenges,
  CODE_LIMITS,
  codeSubject,
  verificationOf,
} from '../../authentication/flows/index.ts';
import { type NewEvent, record } from '../../events/journal/index.ts';
import {
  maskAddress,
  type MessageLimits,
  type Notices,
  RESEND_AFTER_SECONDS,
} from '../../events/messages/index.ts';
import {
  findUser,
  lockOneself,
  presentUser,
  raiseAuthVersion,
  replaceIdentifiers,
} from '../users/index.ts';
import { requireIdentifier } from '../../../platform/http/validation.ts';
import { MAX_IDENTIFIERS, mayRemove, undoFor } from './undo-service.ts';

const HOUR_SECONDS = 3600;

/** An identifier of the caller, and the client that requests the change. */
interface ChosenIdentifier {
  readonly identifier: string;
  readonly userAgent: string | null;
}

type RefuseVerification = Fail<
  | 'VALIDATION_FAILED'
  | 'TOKEN_INVALID'
  | 'STEP_UP_REQUIRED'
  | 'CODE_WRONG'
  | 'IDENTIFIER_TAKEN'
  | 'TOO_MANY_ATTEMPTS'
>;

interface LockedCaller {
  readonly tenant: Tenant;
  readonly caller: UserCaller;
  readonly authVersion: number;
  readonly userAgent: string | null;
}

interface Replacement {
  readonly notice: 'notice.identifier_primary' | 'notice.identifier_removed';
  readonly action: 'identifier.made_primary' | 'identifier.removed';
  /** The identifiers after the change, or the present ones if nothing changes. */
  readonly next: (present: IdentifierRecord[], chosen: IdentifierRecord) => IdentifierRecord[];
}

/** Lets users list, verify, order and remove their identifiers. */
export class IdentifierService {
  readonly #core: Core;
  readonly #challenges: Challenges;
  readonly #notices: Notices;
  readonly #limits: MessageLimits;

  constructor(core: Core, challenges: Challenges, notices: Notices, limits: MessageLimits) {
    this.#core = core;
    this.#challenges = challenges;
    this.#notices = notices;
    this.#limits = limits;
  }

  list(
    { id }: Tenant,
    caller: UserCaller,
    fail: Fail<'TOKEN_INVALID'>,
  ): Promise<IdentifierRecord[]> {
    return this.#core.gate.into(id).transaction((tx) => identifiersOf(tx, caller, fail));
  }

  /** Puts an identifier of the caller first. Notifies all verified addresses, including the previous first one. */
  makePrimary(
    tenant: Tenant,
    caller: UserCaller,
    chosen: ChosenIdentifier,
    fail: Fail<'TOKEN_INVALID' | 'STEP_UP_REQUIRED' | 'NOT_FOUND' | 'IDENTIFIER_UNVERIFIED'>,
  ): Promise<IdentifierRecord[]> {
    return this.#replace(tenant, caller, chosen, fail, {
      notice: 'notice.identifier_primary',
      action: 'identifier.made_primary',
      next: (present, primary) => {
        if (!primary.verified) fail('IDENTIFIER_UNVERIFIED');
        return primary === present[0]
          ? present
          : [primary, ...present.filter((identifier) => identifier !== primary)];
      },
    });
  }

  /** Removes an identifier of the caller. Also notifies its address, whose reader might own the (stolen) account. */
  remove(
    tenant: Tenant,
    caller: UserCaller,
    chosen: ChosenIdentifier,
    fail: Fail<'TOKEN_INVALID' | 'STEP_UP_REQUIRED' | 'NOT_FOUND' | 'LAST_IDENTIFIER'>,
  ): Promise<IdentifierRecord[]> {
    return this.#replace(tenant, caller, chosen, fail, {
      notice: 'notice.identifier_removed',
      action: 'identifier.removed',
      next: (present, removed) => {
        const remaining = present.filter((identifier) => identifier !== removed);
        return mayRemove(present, remaining) ? remaining : fail('LAST_IDENTIFIER');
      },
    });
  }

  /** Sends a code to an email address or a phone number, even if another user has it. */
  async sendVerification(
    tenant: Tenant,
    caller: UserCaller,
    request: { readonly identifier: string; readonly locale: string | undefined },
    fail: Fail<
      | 'VALIDATION_FAILED'
      | 'TOKEN_INVALID'
      | 'STEP_UP_REQUIRED'
      | 'METHOD_NOT_READY'
      | 'DESTINATION_REFUSED'
      | 'TOO_MANY_MESSAGES'
    >,
  ) {
    const { identifier } = requireIdentifier(request.identifier, '/identifier', fail);
    if (!channelsOf(tenant).includes(channelOf(identifier))) fail('METHOD_NOT_READY');
    const user = await this.#core.gate.into(tenant.id).transaction(async (tx) => {
      const { auth_version: authVersion } = await lockOneself(tx, caller, fail);
      const present = await identifiersOf(tx, caller, fail);
      requireNeed(identifier, present, fail);
      return { userId: caller.subject, authVersion };
    });
    const challenge = verificationOf(user, identifier);
    const { from } = caller;
    const by = { from, device: { userAgent: null, from }, name: caller.subject };
    const sending = { ...challenge, user, isDecoy: false, locale: request.locale, ...by };
    const sent = await this.#challenges.send(tenant, sending);
    // Until the challenge is deleted, its codes cannot be guessed any more.
    if (sent === 'exhausted') fail('TOO_MANY_MESSAGES', { retryAfterSeconds: HOUR_SECONDS });
    if (sent === 'refused') return fail('DESTINATION_REFUSED');
    if (sent !== 'sent') fail('TOO_MANY_MESSAGES', sent);
    return { sent_to: maskAddress(identifier), resend_after: RESEND_AFTER_SECONDS };
  }

  /** Adds or verifies the identifier that the code was sent to. */
  async verify(
    tenant: Tenant,
    caller: UserCaller,
    { code, userAgent, ...chosen }: ChosenIdentifier & { readonly code: string },
    fail: RefuseVerification,
  ): Promise<IdentifierRecord[]> {
    const proven = requireIdentifier(chosen.identifier, '/identifier', fail);
    const { identifier } = proven;
    const data = this.#core.gate.into(tenant.id);
    const { auth_version: authVersion } = await data.transaction((tx) =>
      lockOneself(tx, caller, fail),
    );
    const verification = verificationOf({ userId: caller.subject, authVersion }, identifier);
    const challenge = await this.#requireRightCode(tenant, verification, code, fail);
    const identifiers = await data.transaction(async (tx) => {
      const locked = await lockOneself(tx, caller, fail);
      if (locked.auth_version !== authVersion) fail('CODE_WRONG');
      if (!(await this.#challenges.use(tx, challenge))) fail('CODE_WRONG');
      return this.#addProven(tx, { tenant, caller, authVersion, userAgent }, proven, fail);
    });
    await giveBackAttempt(data, codeSubject(identifier), this.#core.clock.now());
    await this.#limits.countRedeemed(tenant, identifier);
    return identifiers;
  }

  /** @returns the challenge */
  async #requireRightCode(
    tenant: Tenant,
    verification: ReturnType<typeof verificationOf>,
    code: string,
    fail: Fail<'CODE_WRONG' | 'TOO_MANY_ATTEMPTS'>,
  ): Promise<string> {
    const guess = await this.#challenges.guess(tenant, verification, code);
    if (guess.outcome === 'right') return guess.challenge.id;
    if (guess.outcome === 'wrong') fail('CODE_WRONG', { guessesLeft: guess.guessesLeft });
    if (guess.outcome === 'ended') fail('CODE_WRONG');
    const limits = [rateLimitOf('identifier', CODE_LIMITS)];
    return fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds: guess.retryAfterSeconds, limits });
  }

  /** Notifies the previously verified addresses of a new identifier. */
  async #addProven(
    tx: TenantTx,
    { tenant, caller, authVersion, userAgent }: LockedCaller,
    { type, identifier }: Identifier,
    fail: RefuseVerification,
  ): Promise<IdentifierRecord[]> {
    const { subject: userId } = caller;
    const present = await identifiersOf(tx, caller, fail);
    requireNeed(identifier, present, fail);
    const isPresent = present.some((other) => other.identifier === identifier);
    if (!isPresent) {
      const kind = 'notice.identifier_added';
      const secretFor = undoFor(tx, { userId, authVersion, identifiers: present });
      const device = { userAgent, from: caller.from };
      const notice = { userId, kind, device, changed: identifier, secretFor } as const;
      await this.#notices.notify(tx, tenant, notice);
    }
    const proven = { type, identifier, verified: true };
    const next = isPresent
      ? present.map((other) => (other.identifier === identifier ? proven : other))
      : [...present, proven];
    if (!(await replaceIdentifiers(tx, userId, next))) fail('IDENTIFIER_TAKEN');
    await raiseAuthVersion(tx, userId);
    const action = isPresent ? 'identifier.verified' : 'identifier.added';
    await recordIdentifiers(tx, caller, action, identifier);
    return next;
  }

  /** Sends the previous addresses emails that can undo the change. */
  #replace(
    tenant: Tenant,
    caller: UserCaller,
    { identifier: text, userAgent }: ChosenIdentifier,
    fail: Fail<'TOKEN_INVALID' | 'STEP_UP_REQUIRED' | 'NOT_FOUND'>,
    { notice: kind, action, next: nextOf }: Replacement,
  ): Promise<IdentifierRecord[]> {
    const { identifier } = parseIdentifier(text) ?? fail('NOT_FOUND');
    return this.#core.gate.into(tenant.id).transaction(async (tx) => {
      const { auth_version: authVersion } = await lockOneself(tx, caller, fail);
      const present = await identifiersOf(tx, caller, fail);
      const chosen =
        present.find((candidate) => candidate.identifier === identifier) ?? fail('NOT_FOUND');
      const next = nextOf(present, chosen);
      if (next === present) return present;
      const { subject: userId } = caller;
      const secretFor = undoFor(tx, { userId, authVersion, identifiers: present });
      const device = { userAgent, from: caller.from };
      const notice = { userId, kind, device, changed: identifier, secretFor };
      await this.#notices.notify(tx, tenant, notice);
      await replaceIdentifiers(tx, userId, next);
      await raiseAuthVersion(tx, userId);
      await recordIdentifiers(tx, caller, action);
      return next;
    });
  }
}

async function identifiersOf(
  tx: TenantTx,
  { subject }: UserCaller,
  fail: Fail<'TOKEN_INVALID'>,
): Promise<IdentifierRecord[]> {
  const row = (await findUser(tx, subject)) ?? fail('TOKEN_INVALID');
  return presentUser(row).identifiers;
}

/** @throws AppError VALIDATION_FAILED if the identifier is already verified, or exceeds the limit */
function requireNeed(
  identifier: string,
  present: readonly IdentifierRecord[],
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  const refuse = (message: string) =>
    fail('VALIDATION_FAILED', { errors: [{ path: '/identifier', message }] });
  const same = present.find((other) => other.identifier === identifier);
  if (same?.verified) refuse('is already your verified identifier');
  if (!same && present.length >= MAX_IDENTIFIERS) {
    refuse(`would exceed the limit of ${MAX_IDENTIFIERS} identifiers: remove one first`);
  }
}

/** @param verified the proven identifier */
function recordIdentifiers(
  tx: TenantTx,
  caller: UserCaller,
  action:
    | 'identifier.added'
    | 'identifier.verified'
    | 'identifier.made_primary'
    | 'identifier.removed',
  verified?: string,
): Promise<void> {
  const user = { user_id: caller.subject };
  const proven: NewEvent[] =
    verified === undefined
      ? []
      : [{ type: 'identifier.verified', data: { ...user, identifier: verified } }];
  return record(tx, caller, {
    action,
    target: { kind: 'user', id: caller.subject },
    details: {},
    events: [...proven, { type: 'user.updated', data: { ...user, fields: ['identifiers'] } }],
  });
}
