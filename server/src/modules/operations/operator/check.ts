import type { Operator } from './operator.ts';

/** The result of a check for the reader: the state, and the remedy if something is wrong. */
export interface Finding {
  readonly isFine: boolean;
  readonly says: string;
  readonly advice?: string;
}

export interface CheckResult {
  readonly name: string;
  readonly state: 'ok' | 'finding' | 'skipped';
  readonly says: string;
  readonly advice?: string;
}

/** A check of an open database. */
export interface DatabaseCheck {
  readonly name: string;
  readonly look: (operator: Operator) => Promise<Finding>;
}

export function fine(says: string): Finding {
  return { isFine: true, says };
}

export function wrong(says: string, advice: string): Finding {
  return { isFine: false, says, advice };
}

export function resultOf(name: string, { isFine, says, advice }: Finding): CheckResult {
  const state = isFine ? 'ok' : 'finding';
  return { name, state, says, ...(advice === undefined ? {} : { advice }) };
}

const MOST_NAMED = 5;

/** The first few, and how many more there are. */
export function someOf(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return names.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** `1 tenant`, `3 tenants`. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
