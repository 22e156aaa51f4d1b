// The sign-in attempts of a user, from the entries of the audit log about them.

import type { AuditEntry } from '@keywright/sdk';
import { deviceIn } from '../../shared/sentences/sentence.ts';
import { refusalOf } from '../../shared/sentences/refusal.ts';
import type { SentenceKey } from '../../../texts/sentences.ts';

/** Attempts that only repeat each other within this time are shown together. */
const GROUPED_MS = 60 * 60 * 1000;

export interface Attempt {
  readonly id: string;
  /** Why the attempt was rejected; undefined: it succeeded. */
  readonly refusal: SentenceKey | undefined;
  readonly method: string | undefined;
  readonly device: readonly string[] | undefined;
  readonly address: string | null;
  /** The latest. */
  readonly at: string;
  readonly count: number;
}

/** Returns the attempts, the newest first. Those that repeat each other are one attempt with a count. */
export function attemptsOf(entries: readonly AuditEntry[]): Attempt[] {
  const sorted = entries.toSorted((a, b) => b.created_at.localeCompare(a.created_at));
  const attempts: Attempt[] = [];
  let oldest = 0;
  for (const attempt of sorted.map(attemptOf)) {
    const last = attempts.at(-1);
    const isRepeated = last && last.refusal !== undefined && isSame(last, attempt);
    if (isRepeated && oldest - Date.parse(attempt.at) < GROUPED_MS) {
      attempts[attempts.length - 1] = { ...last, count: last.count + attempt.count };
    } else {
      attempts.push(attempt);
    }
    oldest = Date.parse(attempt.at);
  }
  return attempts;
}

function isSame(first: Attempt, other: Attempt): boolean {
  return (['refusal', 'method', 'device', 'address'] as const).every(
    (name) => String(first[name]) === String(other[name]),
  );
}

function attemptOf({ id, action, details, address, count, created_at: at }: AuditEntry): Attempt {
  const isRefused = action === 'auth.login_failed';
  const { method, provider_id: provider } = details as Readonly<Record<string, unknown>>;
  const how = provider === undefined ? method : 'provider';
  return {
    id,
    refusal: isRefused ? refusalOf(details.reason ?? '') : undefined,
    method: typeof how === 'string' ? how : undefined,
    device: deviceIn(details),
    address,
    at,
    count,
  };
}
