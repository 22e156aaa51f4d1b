import { CLOCK_SKEW_SECONDS } from '@keywright/contract/claims';
import { epochSeconds } from '../../../platform/clock.ts';

type Claims = Readonly<Record<string, unknown>>;

/** The year 5138. */
const LATEST_SECONDS = 100_000_000_000;

/**
 * Which of its times is against a statement at this moment (RFC 7519 §4.1); nothing when none is.
 * @param longestSeconds how far in the future its expiry may be
 */
export function timesFlaw(
  { exp, nbf, iat }: Claims,
  now: Date,
  longestSeconds = LATEST_SECONDS,
): 'exp' | 'nbf' | 'iat' | undefined {
  const seconds = epochSeconds(now);
  if (!isTime(exp) || exp + CLOCK_SKEW_SECONDS <= seconds) return 'exp';
  if (exp - CLOCK_SKEW_SECONDS > seconds + longestSeconds) return 'exp';
  const isPast = (time: unknown) => isTime(time) && time - CLOCK_SKEW_SECONDS <= seconds;
  if (nbf !== undefined && !isPast(nbf)) return 'nbf';
  return iat === undefined || isPast(iat) ? undefined : 'iat';
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value < LATEST_SECONDS;
}

/** When a valid statement has expired for everybody, clock skew included. */
export function endOf({ exp }: Claims): Date {
  return new Date((Number(exp) + 2 * CLOCK_SKEW_SECONDS) * 1000);
}

/** Whether a statement is for one of these only: another audience could replay it here. */
export function isOnlyFor(aud: unknown, audiences: readonly string[]): boolean {
  const [audience, ...others] = Array.isArray(aud) ? (aud as unknown[]) : [aud];
  return others.length === 0 && typeof audience === 'string' && audiences.includes(audience);
}

const MAX_JTI = 256;

/** The `jti` of a statement; undefined without one that can be stored. */
export function jtiOf({ jti }: Claims): string | undefined {
  return typeof jti === 'string' && jti !== '' && jti.length <= MAX_JTI ? jti : undefined;
}
