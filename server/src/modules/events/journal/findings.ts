/** What can be wrong with an audit log. */
export type Problem =
  /** The service did not write it, or not so. */
  | 'forged'
  /** The content, or what comes before it, is not what was sealed. */
  | 'changed'
  /** A place of the chain is empty. */
  | 'removed'
  /** An entry stands behind one that comes after it. */
  | 'reordered'
  /** The log ends before a place that a checkpoint vouches for. */
  | 'cut'
  /** An entry that is not in the chain. */
  | 'unsealed'
  /** The end of the chain that no checkpoint covers. */
  | 'unsigned'
  /** A checkpoint that proves nothing. */
  | 'checkpoint'
  /** MACs could not be checked: the data key of the tenant is gone, or does not open. */
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

/** Collects what is wrong; of very much, the first. */
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

  /** Places that were skipped; what comes later for one of them was moved, not removed. */
  addGap(from: number, to: number): void {
    this.#gaps.push({ from, to });
  }

  /** An entry whose place was passed before. */
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
