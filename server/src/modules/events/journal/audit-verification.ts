import type { AuditEntry } from '@keywright/contract/records/audit-entry';
import { type PublicKey, signatureIsValid } from '../../../platform/crypto/jws.ts';
import { type Checkpoint, hashOf, readCheckpoint, type MacCheck } from './audit-integrity.ts';

/** The records of an audit log, in order. */
export type Line =
  | { readonly kind: 'entry'; readonly entry: AuditEntry }
  | { readonly kind: 'checkpoint'; readonly token: string }
  /** A missing entry. Without a position, it was waiting to be sealed. */
  | { readonly kind: 'lost'; readonly position: number | null; readonly entryId: string }
  /** An entry waiting to be sealed. */
  | { readonly kind: 'waiting'; readonly entry: AuditEntry }
  /** An entry that is neither sealed nor waiting. */
  | { readonly kind: 'stray'; readonly entry: AuditEntry }
  | { readonly kind: 'unreadable'; readonly number: number };

/** The result for one tenant. */
export interface Verdict {
  readonly tenant_id: string | null;
  readonly is_intact: boolean;
  readonly entries: number;
  /** The end of the chain. */
  readonly position: number;
  /** The last position that a signed checkpoint vouches for. */
  readonly signed_position: number;
  /** Entries that are not in the chain yet. */
  readonly waiting: number;
  /** Whether the MACs of entries were checked, which only the installation itself can do. */
  readonly macs_checked: boolean;
  readonly findings: readonly Finding[];
  /** The number of findings, including those that are not listed. */
  readonly findings_total: number;
}

interface Against {
  /** The keys of the tenant, including retired ones; undefined for any other key. */
  readonly keyOf: (kid: string) => PublicKey | undefined;
  /** Checkpoints that were stored elsewhere. */
  readonly checkpoints: readonly string[];
  /** Undefined if the tenant's key is not available, as for an export. */
  readonly macs?: MacCheck;
}

/** Verifies an audit log from its first entry to its last, in constant memory. */
export async function verifyLog(
  tenantId: string | null,
  lines: AsyncIterable<Line>,
  { keyOf, checkpoints, macs }: Against,
): Promise<Verdict> {
  const walk = new Walk(tenantId, keyOf, macs);
  for (const token of checkpoints) walk.expect(token);
  for await (const line of lines) walk.take(line);
  return walk.end();
}

class Walk {
  #tenantId: string | null;
  readonly #keyOf: Against['keyOf'];
  readonly #findings = new Findings();
  /** The hashes of external checkpoints at positions that have not been reached. */
  readonly #expected = new Map<number, string>();
  readonly #macs: MacCheck | undefined;
  #entries = 0;
  #waiting = 0;
  #position = 0;
  #hash: string | null = null;
  #signedPosition = 0;

  constructor(tenantId: string | null, keyOf: Against['keyOf'], macs: MacCheck | undefined) {
    this.#tenantId = tenantId;
    this.#keyOf = keyOf;
    this.#macs = macs;
    if (!macs || macs.isAuthentic) return;
    const detail = 'The data key of the tenant cannot be decrypted, so the MACs were not checked.';
    this.#findings.add('key', null, detail);
  }

  expect(token: string): void {
    const checkpoint = this.#readSigned(token, null);
    if (checkpoint) this.#expected.set(checkpoint.position, checkpoint.hash);
  }

  take(line: Line): void {
    if (line.kind === 'entry') this.#takeEntry(line.entry);
    else if (line.kind === 'checkpoint') this.#takeCheckpoint(line.token);
    else if (line.kind === 'lost') this.#takeLost(line.position, line.entryId);
    else if (line.kind === 'waiting') this.#takeWaiting(line.entry);
    else if (line.kind === 'stray') this.#takeStray(line.entry);
    else {
      this.#findings.add(
        'unreadable',
        null,
        `Line ${line.number} is not an entry or a checkpoint.`,
      );
    }
  }

  end(): Verdict {
    for (const position of this.#expected.keys()) {
      const detail = `The provided checkpoint covers entry ${position}, but the log ends at ${this.#position}.`;
      this.#findings.add('cut', position, detail);
    }
    if (this.#position > this.#signedPosition) {
      const detail = `No valid checkpoint covers the entries after ${this.#signedPosition}.`;
      this.#findings.add('unsigned', this.#position, detail);
    }
    return {
      tenant_id: this.#tenantId,
      is_intact: this.#findings.total === 0,
      entries: this.#entries,
      position: this.#position,
      signed_position: this.#signedPosition,
      waiting: this.#waiting,
      macs_checked: this.#macs?.isAuthentic !== undefined,
      findings: this.#findings.list,
      findings_total: this.#findings.total,
    };
  }

  #takeEntry(entry: AuditEntry): void {
    const { position, id, tenant_id: tenantId } = entry;
    this.#entries += 1;
    this.#tenantId ??= tenantId;
    if (tenantId !== this.#tenantId) {
      this.#findings.add('foreign', position, `It belongs to ${tenantId}.`, id);
    }
    if (position === null) {
      this.#findings.add('unsealed', null, 'It is not in the chain.', id);
      return;
    }
    this.#checkMac(entry);
    if (hashOf(entry).toString('base64url') !== entry.hash) {
      this.#findings.add('changed', position, 'Its content does not match its hash.', id);
    }
    if (!this.#advance(position, id)) return;
    const follows = position === 1 ? entry.previous_hash === null : this.#follows(entry);
    if (!follows) {
      this.#findings.add('changed', position, 'It does not follow the previous entry.', id);
    }
    this.#hash = entry.hash;
    this.#compare(position);
  }

  #takeWaiting(entry: AuditEntry): void {
    this.#waiting += 1;
    this.#checkMac(entry);
  }

  #takeStray(entry: AuditEntry): void {
    if (!this.#checkMac(entry)) return;
    const detail = 'It is not in the chain and not waiting to be added.';
    this.#findings.add('unsealed', null, detail, entry.id);
  }

  /** @returns false when the service did not write it */
  #checkMac(entry: AuditEntry): boolean {
    const { mac, position, id } = entry;
    const macs = this.#macs;
    if (!macs?.isAuthentic || macs.isAuthentic(entry)) return true;
    const detail =
      mac === undefined
        ? 'It has no MAC: the service did not write it.'
        : 'Its MAC is wrong: the service did not write it, or it was changed.';
    this.#findings.add('forged', position, detail, id);
    return false;
  }

  #takeLost(position: number | null, entryId: string): void {
    if (position === null) {
      const detail = 'It was waiting to be sealed, and is missing.';
      this.#findings.add('removed', null, detail, entryId);
      return;
    }
    this.#advance(position, entryId);
    this.#findings.add('removed', position, `The entry ${entryId} is missing.`);
    this.#hash = null;
  }

  /** If the previous entry is missing there is nothing to compare with; that is a separate finding. */
  #follows({ previous_hash: previous }: AuditEntry): boolean {
    return this.#hash === null || previous === this.#hash;
  }

  /** @returns false if the position was already passed */
  #advance(position: number, id: string): boolean {
    if (position <= this.#position) {
      this.#findings.addPassed(position, this.#position, id);
      return false;
    }
    if (position > this.#position + 1) {
      this.#findings.addGap(this.#position + 1, position - 1);
      this.#hash = null;
    }
    this.#position = position;
    return true;
  }

  #compare(position: number): void {
    const expected = this.#expected.get(position);
    if (expected === undefined) return;
    this.#expected.delete(position);
    if (expected !== this.#hash) {
      const detail = 'The provided checkpoint has a different entry at this position.';
      this.#findings.add('changed', position, detail);
    }
  }

  #takeCheckpoint(token: string): void {
    const checkpoint = this.#readSigned(token, this.#position);
    if (!checkpoint) return;
    const { position, hash } = checkpoint;
    if (position > this.#position) {
      const detail = `A checkpoint covers entry ${position}, but the log ends at ${this.#position}.`;
      this.#findings.add('cut', position, detail);
    } else if (position === this.#position && hash !== this.#hash) {
      this.#findings.add(
        'changed',
        position,
        'A checkpoint has a different entry at this position.',
      );
    } else if (position === this.#position) {
      this.#signedPosition = position;
    }
  }

  /** Returns the checkpoint if it is a checkpoint of this tenant with a valid signature. */
  #readSigned(token: string, position: number | null): Checkpoint | undefined {
    const checkpoint = readCheckpoint(token);
    const key = checkpoint && this.#keyOf(checkpoint.parsed.kid);
    const flaw = !checkpoint
      ? 'It is not a checkpoint.'
      : this.#tenantId !== null && checkpoint.tenant_id !== this.#tenantId
        ? `It belongs to ${checkpoint.tenant_id}.`
        : !key
          ? `Its key ${checkpoint.parsed.kid} is not in the key set.`
          : !signatureIsValid(checkpoint.parsed, key) && 'Its signature is wrong.';
    if (!flaw) return checkpoint;
    this.#findings.add('checkpoint', position, flaw);
    return undefined;
  }
}

/** The possible problems of an audit log. */
type Problem =
  /** The service did not write it, or it was altered. */
  | 'forged'
  /** The content or the predecessor differs from what was sealed. */
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

interface Finding {
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
class Findings {
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

  /** Records skipped positions. An entry that turns up later was moved, not removed. */
  addGap(from: number, to: number): void {
    this.#gaps.push({ from, to });
  }

  /** Records an entry at a position that was already passed. */
  addPassed(position: number, last: number, entryId: string): void {
    const gap = this.#gaps.find(({ from, to }) => from <= position && position <= to);
    const how = gap ? `It comes after entry ${last}.` : 'Another entry has its position.';
    this.add('reordered', position, how, entryId);
    if (!gap) return;
    const rest = [
      { from: gap.from, to: position - 1 },
      { from: position + 1, to: gap.to },
    ];
    this.#gaps = [
      ...this.#gaps.filter((candidate) => candidate !== gap),
      ...rest.filter(isNotEmpty),
    ];
  }

  get list(): readonly Finding[] {
    return [...this.#list, ...this.#gaps.map(findingOf)].slice(0, MOST_LISTED);
  }

  get total(): number {
    return this.#total + this.#gaps.length;
  }
}

function isNotEmpty({ from, to }: Gap): boolean {
  return from <= to;
}

function findingOf({ from, to }: Gap): Finding {
  const detail =
    from === to ? `Entry ${from} is missing.` : `Entries ${from} to ${to} are missing.`;
  return { problem: 'removed', position: from, entry_id: null, detail };
}
