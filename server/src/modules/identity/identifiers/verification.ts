import type { Fail } from '@keywright/contract/errors';
import type { Identifier } from '@keywright/contract/identifiers';
import type { IdentifierRecord } from '@keywright/contract/records/user';
import type { Clock } from '../../../platform/clock.ts';
import { channelOf, channelsOf } from '../../../tenancy/channels.ts';
import type { UserCaller } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { giveBackAttempt, rateLimitOf } from '../../authentication/attempts/index.ts';
import {
  type Challenges,
  CODE_LIMITS,
  codeSubject,
  verificationOf,
} from '../../authentication/flows/index.ts';
import { maskAddress, type Messages, RESEND_AFTER_SECONDS } from '../../events/messages/index.ts';
import {
  lockOneself,
  raiseAuthVersion,
  replaceIdentifiers,
  requireIdentifier,
} from '../users/index.ts';
import { recordIdentifiers } from './recorded.ts';
import { MAX_IDENTIFIERS } from './rules.ts';
import { type IdentifierDependencies, identifiersOf } from './service.ts';
import { undoFor } from './undo.ts';

export interface VerificationDependencies
  extends IdentifierDependencies, Pick<Messages, 'smsLimits'> {
  readonly clock: Clock;
  readonly challenges: Challenges;
}

const HOUR_SECONDS = 3600;

/** Sends a code to an address or a phone number, whoever has it. */
export async function send(
  { gate, challenges }: VerificationDependencies,
  tenant: Tenant,
  caller: UserCaller,
  asked: { readonly identifier: string; readonly locale: string | undefined },
  fail: Fail<
    | 'VALIDATION_FAILED'
    | 'TOKEN_INVALID'
    | 'STEP_UP_REQUIRED'
    | 'METHOD_NOT_READY'
    | 'DESTINATION_REFUSED'
    | 'TOO_MANY_MESSAGES'
  >,
) {
  const { identifier } = requireIdentifier(asked.identifier, '/identifier', fail);
  if (!channelsOf(tenant).includes(channelOf(identifier))) fail('METHOD_NOT_READY');
  const user = await gate.into(tenant.id).transaction(async (tx) => {
    const { auth_version: authVersion } = await lockOneself(tx, caller, fail);
    const present = await identifiersOf(tx, caller, fail);
    refuseNeedless(identifier, present, fail);
    return { userId: caller.subject, authVersion };
  });
  const challenge = verificationOf(user, identifier);
  const { locale } = asked;
  const by = { from: caller.from, name: caller.subject };
  const sending = { ...challenge, user, isDecoy: false, locale, ...by };
  const sent = await challenges.send(tenant, sending);
  // The guesses of its codes are used up, until it is deleted.
  if (sent === 'exhausted') fail('TOO_MANY_MESSAGES', { retryAfterSeconds: HOUR_SECONDS });
  if (sent === 'refused') return fail('DESTINATION_REFUSED');
  if (sent !== 'sent') fail('TOO_MANY_MESSAGES', sent);
  return { sent_to: maskAddress(identifier), resend_after: RESEND_AFTER_SECONDS };
}

type Refuse = Fail<
  | 'VALIDATION_FAILED'
  | 'TOKEN_INVALID'
  | 'STEP_UP_REQUIRED'
  | 'CODE_WRONG'
  | 'IDENTIFIER_TAKEN'
  | 'TOO_MANY_ATTEMPTS'
>;

interface Asked {
  readonly identifier: string;
  readonly code: string;
  readonly userAgent: string | null;
}

/** Adds the identifier whose code it is, or verifies it. */
export async function verify(
  dependencies: VerificationDependencies,
  tenant: Tenant,
  caller: UserCaller,
  { code, userAgent, ...asked }: Asked,
  fail: Refuse,
): Promise<IdentifierRecord[]> {
  const { gate, clock, challenges, smsLimits } = dependencies;
  const proven = requireIdentifier(asked.identifier, '/identifier', fail);
  const { identifier } = proven;
  const data = gate.into(tenant.id);
  const { auth_version: authVersion } = await data.transaction((tx) =>
    lockOneself(tx, caller, fail),
  );
  const challenge = verificationOf({ userId: caller.subject, authVersion }, identifier);
  const used = await requireRightCode(dependencies, tenant, challenge, code, fail);
  const identifiers = await data.transaction(async (tx) => {
    const locked = await lockOneself(tx, caller, fail);
    if (locked.auth_version !== authVersion) fail('CODE_WRONG');
    if (!(await challenges.use(tx, used))) fail('CODE_WRONG');
    const within = { tx, tenant, caller, authVersion, userAgent };
    return addProven(dependencies, within, proven, fail);
  });
  await giveBackAttempt(data, codeSubject(identifier), clock.now());
  await smsLimits.countRedeemed(tenant, identifier);
  return identifiers;
}

/** @returns the challenge */
async function requireRightCode(
  { challenges }: VerificationDependencies,
  tenant: Tenant,
  challenge: ReturnType<typeof verificationOf>,
  code: string,
  fail: Fail<'CODE_WRONG' | 'TOO_MANY_ATTEMPTS'>,
): Promise<string> {
  const guess = await challenges.guess(tenant, challenge, code);
  if (guess.outcome === 'right') return guess.challenge.id;
  if (guess.outcome === 'wrong') fail('CODE_WRONG', { guessesLeft: guess.guessesLeft });
  if (guess.outcome === 'ended') fail('CODE_WRONG');
  const limits = [rateLimitOf('identifier', CODE_LIMITS)];
  return fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds: guess.retryAfterSeconds, limits });
}

interface Within {
  readonly tx: TenantTx;
  readonly tenant: Tenant;
  readonly caller: UserCaller;
  readonly authVersion: number;
  readonly userAgent: string | null;
}

/** To the locked caller. The addresses that were verified before are told of a new identifier. */
async function addProven(
  { notify }: VerificationDependencies,
  { tx, tenant, caller, authVersion, userAgent: device }: Within,
  { type, identifier }: Identifier,
  fail: Refuse,
): Promise<IdentifierRecord[]> {
  const { subject: userId } = caller;
  const present = await identifiersOf(tx, caller, fail);
  refuseNeedless(identifier, present, fail);
  const isOwn = present.some((one) => one.identifier === identifier);
  const kind = 'notice.identifier_added';
  const secretFor = undoFor(tx, { userId, authVersion, identifiers: present });
  if (!isOwn) await notify(tx, tenant, { userId, kind, device, changed: identifier, secretFor });
  const proven = { type, identifier, verified: true };
  const next = isOwn
    ? present.map((one) => (one.identifier === identifier ? proven : one))
    : [...present, proven];
  if (!(await replaceIdentifiers(tx, userId, next))) fail('IDENTIFIER_TAKEN');
  await raiseAuthVersion(tx, userId);
  const action = isOwn ? 'identifier.verified' : 'identifier.added';
  await recordIdentifiers(tx, caller, action, identifier);
  return next;
}

function refuseNeedless(
  identifier: string,
  present: readonly IdentifierRecord[],
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  const own = present.find((one) => one.identifier === identifier);
  if (own?.verified) refuse('is yours, and verified', fail);
  if (!own && present.length >= MAX_IDENTIFIERS) {
    refuse(`would be one more than ${MAX_IDENTIFIERS}: remove one first`, fail);
  }
}

function refuse(message: string, fail: Fail<'VALIDATION_FAILED'>): never {
  return fail('VALIDATION_FAILED', { errors: [{ path: '/identifier', message }] });
}
