/** The possible problems of an audit log. */
export type Problem =
  /** The service did not write it, or it was altered. */
  | 'forged'
  /** The content, or its predecessor, is not what was sealed. */
  | 'changed'
  /** A position of the chain is empty. */
  | 'removed'
  /** An entry comes after one of its successors. */
  | 'reordered'
  /** The log ends before the position of a checkpoint. */
  | 'cut'
  /** An entry that is not in the chain. */
  | 'unsealed'
  /** The end of the chain that no checkpoint covers. */
  | 'unsigned'
  /** A checkpoint that proves nothing. */
  | 'checkpoint'
  /** MACs could not be checked: the tenant's data key is missing, or cannot be unwrapped. */
  | 'key'
  /** An entry of another tenant. */
  | 'foreign'
  | 'unreadable';

export interface Finding {
  readonly problem: Problem;
  readonly position: number | null;
  readonly entry_id: string | null;
  readonly detail: string;
}

const MOST_LISTED = 100;

interface Gap {
  readonly from: number;
  readonly to: number;
}

/** Collects problems, up to a limit. */
export class Findings {
  readonly #list: Finding[] = [];
  #gaps: Gap[] = [];
  #total = 0;

  add(
    problem: Problem,
    position: number | null,
    detail: string,
    entryId: string | null = null,
  ): void {
    this.#total += 1;
    if (this.#list.length >= MOST_LISTED) return;
    this.#list.push({ problem, position, entry_id: entryId, detail });
  }

  /** Skipped positions; an entry that turns up later was moved, not removed. */
  addGap(from: number, to: number): void {
    this.#gaps.push({ from, to });
  }

  /** An entry whose position was already passed. */
  addPassed(position: number, last: number, entryId: string): void {
    const gap = this.#gaps.find(({ from, to }) => from <= position && position <= to);
    const how = gap ? `It stands behind the entry ${last}.` : 'Its place is taken.';
    this.add('reordered', position, how, entryId);
    if (!gap) return;
    const rest = [
      { from: gap.from, to: position - 1 },
      { from: position + 1, to: gap.to },
    ];
    this.#gaps = [...this.#gaps.filter((one) => one !== gap), ...rest.filter(isSome)];
  }

  get list(): readonly Finding[] {
    return [...this.#list, ...this.#gaps.map(told)].slice(0, MOST_LISTED);
  }

  get total(): number {
    return this.#total + this.#gaps.length;
  }
}

function isSome({ from, to }: Gap): boolean {
  return from <= to;
}

function told({ from, to }: Gap): Finding {
  const detail =
    from === to ? `There is no entry ${from}.` : `There are no entries ${from} to ${to}.`;
  return { problem: 'removed', position: from, entry_id: null, detail };
}
