import {
  type Explanation,
  type ExplainedChange,
  type ReasonCode,
  REASONS,
} from '@keywright/contract/records/explanation';
import { missingScopes } from '@keywright/contract/scopes';
import type { HistoryEntry } from '../../events/journal/index.ts';

export type Reason = Explanation['reasons'][number];
export type Grant = Explanation['grants'][number];

interface ReasonDetails {
  readonly name?: string | undefined;
  readonly scopes?: readonly string[];
  readonly reason?: string | null | undefined;
  readonly at?: Date | null;
  readonly change?: HistoryEntry | undefined;
}

export function reasonOf(
  code: ReasonCode,
  { name, scopes, reason, at, change }: ReasonDetails = {},
): Reason {
  return {
    code,
    detail: REASONS[code],
    ...(name === undefined ? {} : { name }),
    ...(scopes ? { scopes: [...scopes] } : {}),
    ...(reason ? { reason } : {}),
    ...(at ? { at: at.toISOString() } : {}),
    ...(change ? { change: presentChange(change) } : {}),
  };
}

export function presentChange(entry: HistoryEntry): ExplainedChange {
  return {
    action: entry.action,
    at: entry.created_at.toISOString(),
    by: { kind: entry.actor_kind, sub: entry.actor_id, on_behalf_of: entry.on_behalf_of },
    target: { kind: entry.target_kind, name: entry.target_id },
    details: entry.details,
  };
}

/** The needed scopes that a source grants, each with its first scope that covers it. */
export function givenBy(
  source: Pick<Grant, 'kind' | 'name'>,
  scopes: readonly string[],
  needed: readonly string[],
): Grant[] {
  return needed.flatMap((scope) => {
    const held = scopes.find((one) => missingScopes([one], [scope]).length === 0);
    return held === undefined ? [] : [{ ...source, scope, covered_by: held }];
  });
}

/** The scopes that one list covers and the other does not. */
export function keptBack(
  by: readonly string[],
  from: readonly string[],
  needed: readonly string[],
): string[] {
  const lacking = missingScopes(by, needed);
  const absent = missingScopes(from, needed);
  return lacking.filter((scope) => !absent.includes(scope));
}

/** Without duplicates. */
export function distinct<T extends object>(all: readonly T[]): T[] {
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}
