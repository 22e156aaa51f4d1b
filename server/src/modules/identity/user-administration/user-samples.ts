import type { UserId } from '@keywright/contract/ids';
import { EXACT_TOTAL } from '@keywright/contract/list';
import { Cache } from '../../../platform/cache/cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import { COUNT_UP_TO, type Page } from '../../../platform/db/page.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import type { SortField } from '../users/index.ts';
import {
  type FoundUsers,
  type Start,
  type UserPage,
  findCheckpoints,
} from './user-administration-store.ts';

/**
 * A sample is fresh for this many times the time it took, within bounds, so that sampling costs half a percent of a
 * core. For the same time again it is still used while the next one is taken.
 */
const FRESH_FOR_MS = { least: 30_000, most: 300_000 };
const FRESH_FOR_TIMES = 200;
const MOST_SAMPLES = 200;

/** Counts of the users of a large tenant, in one sort order. */
export interface UserSample {
  readonly total: number;
  /** Where a numbered page starts. */
  startOf(page: Page): Start;
  /** Every 500th user. */
  readonly users: readonly UserId[];
  /** A sample of identifiers, if the order is by identifier. */
  readonly sample: IdentifierSample;
}

interface CachedSample {
  readonly sampled: UserSample;
  readonly freshUntil: number;
  readonly endsAt: number;
}

/** The samples of tenants whose list totals are estimates: those with more users than EXACT_TOTAL. */
export class UserSamples {
  readonly #clock: Clock;
  readonly #findPage: (page: UserPage) => Promise<FoundUsers>;
  readonly #samples: Cache<string, CachedSample> = new Cache(MOST_SAMPLES);
  /** The time until which each small tenant counts as small. */
  readonly #small: Cache<string, number> = new Cache(MOST_SAMPLES);
  readonly #inFlight = new Map<string, Promise<UserSample>>();

  constructor(clock: Clock, findPage: (page: UserPage) => Promise<FoundUsers>) {
    this.#clock = clock;
    this.#findPage = findPage;
  }

  /** The last sample; undefined if none was taken recently, or the tenant is not large. */
  find(tenant: TenantData, field: SortField): UserSample | undefined {
    const found = this.#samples.get(`${tenant.tenantId} ${field}`);
    const now = this.#clock.now().getTime();
    if (!found || found.endsAt <= now) return undefined;
    if (found.freshUntil <= now) this.refresh(tenant, field);
    return found.sampled;
  }

  /** The last sample, or a new one if there is none. */
  async take(tenant: TenantData, field: SortField): Promise<UserSample> {
    return this.find(tenant, field) ?? this.#renew(tenant, field);
  }

  /** Starts a new sample without waiting for it. */
  refresh(tenant: TenantData, field: SortField): void {
    // A failure is reported to the next caller that waits for a sample.
    this.#renew(tenant, field).catch(() => {});
  }

  /** Whether the tenant has more users than EXACT_TOTAL. */
  async isLarge(tenant: TenantData): Promise<boolean> {
    const fields: readonly SortField[] = ['created_at', 'identifier'];
    if (fields.some((field) => this.find(tenant, field))) return true;
    const now = this.#clock.now().getTime();
    if ((this.#small.get(tenant.tenantId) ?? 0) > now) return false;
    const { counted } = await this.#findPage({
      tenantId: tenant.tenantId,
      field: 'created_at',
      descending: false,
      start: { value: 'infinity', id: '', skip: 0 },
      rows: 0,
      countUpTo: COUNT_UP_TO,
    });
    const isLarge = counted >= COUNT_UP_TO;
    if (!isLarge) this.#small.set(tenant.tenantId, now + FRESH_FOR_MS.least);
    return isLarge;
  }

  /** Takes a sample. Concurrent callers share it. */
  #renew(tenant: TenantData, field: SortField): Promise<UserSample> {
    const key = `${tenant.tenantId} ${field}`;
    const running = this.#inFlight.get(key);
    if (running) return running;
    const renewing = this.#sample(tenant, field).finally(() => this.#inFlight.delete(key));
    this.#inFlight.set(key, renewing);
    return renewing;
  }

  async #sample(tenant: TenantData, field: SortField): Promise<UserSample> {
    const key = `${tenant.tenantId} ${field}`;
    const start = performance.now();
    const { checkpoints, total } = await tenant.transaction((tx) =>
      findCheckpoints(tx, field, STEP),
    );
    const tookMs = performance.now() - start;
    const identifiers = field === 'identifier' ? checkpoints.map(({ value }) => value) : [];
    const sampled = {
      total,
      users: checkpoints.map((checkpoint) => checkpoint.id as UserId),
      sample: new IdentifierSample(identifiers),
      startOf: (page: Page) => startAtCheckpoint(page, checkpoints, total),
    };
    const { least, most } = FRESH_FOR_MS;
    const freshMs = Math.min(most, Math.max(least, tookMs * FRESH_FOR_TIMES));
    const now = this.#clock.now().getTime();
    const cached = { sampled, freshUntil: now + freshMs, endsAt: now + 2 * freshMs };
    if (total > EXACT_TOTAL) this.#samples.set(key, cached);
    else this.#samples.delete(key);
    return sampled;
  }
}

/** The distance between checkpoints. A page starts at most this far after one. */
export const STEP = 500;

/** Values before the first user and after the last one. */
const ENDS: Readonly<Record<SortField, readonly [first: string, last: string]>> = {
  created_at: ['-infinity', 'infinity'],
  identifier: ['', '\u{10FFFF}'],
  // After the key of users without a name.
  name: ['', '\u{10FFFF}\u{10FFFF}'],
  last_login_at: ['-infinity', 'infinity'],
};

/** The start of a list, or the position of a cursor. */
export function plainStart({ field, descending, after, offset }: Page): Start {
  const [first, last] = ENDS[field as SortField];
  return { ...(after ?? { value: descending ? last : first, id: '' }), skip: offset };
}

/** A user, identified by the values that the list is sorted by. */
interface Checkpoint {
  readonly value: string;
  readonly id: string;
}

/**
 * Finds the start of a numbered page without counting up to it.
 * @param checkpoints the users at positions STEP - 1, 2 × STEP - 1, … in ascending order
 */
export function startAtCheckpoint(
  { field, descending, offset }: Page,
  checkpoints: readonly Checkpoint[],
  total: number,
): Start {
  const [first, last] = ENDS[field as SortField];
  if (!descending) {
    const passed = Math.min(Math.floor(offset / STEP), checkpoints.length);
    return {
      ...(checkpoints[passed - 1] ?? { value: first, id: '' }),
      skip: offset - passed * STEP,
    };
  }
  const place = total - 1 - offset;
  if (place < 0) return { value: first, id: '', skip: 0 };
  const beyond = Math.floor((place + 1) / STEP);
  const checkpoint = checkpoints[beyond];
  // After the last checkpoint comes the end of the list.
  if (!checkpoint) return { value: last, id: '', skip: offset };
  return { ...checkpoint, skip: (beyond + 1) * STEP - 2 - place };
}

const LETTERS = 3;
/** Longer pieces of a word cost the index more work, but hardly narrow the result. */
const SHORT = 4;
/** A number with this many digits is rare enough without the characters around it. */
const LONG_NUMBER = 5;
const LONGEST = 8;
const WORD = /[\p{L}\p{N}]+/gu;
const NUMBER = /^\p{N}+$/u;
/** If no larger share of the identifiers contains a piece, reading their rows beats looking up a second piece. */
const FEW = 0.001;
/** A second piece is not worth looking up if a larger share of the identifiers contains it. */
const MANY = 0.1;

/** A sample of the identifiers of a large tenant, from which the frequency of a part is estimated. */
export class IdentifierSample {
  readonly size: number;
  readonly #identifiers: readonly string[];
  /** The number of identifiers that contain each sequence of three letters. */
  readonly #counts = new Map<string, number>();

  constructor(identifiers: readonly string[]) {
    this.size = identifiers.length;
    this.#identifiers = identifiers;
    for (const identifier of identifiers) {
      for (const three of new Set(threesOf(identifier))) {
        this.#counts.set(three, (this.#counts.get(three) ?? 0) + 1);
      }
    }
  }

  /** Estimates the share of identifiers that contain the part. */
  shareWith(part: string): number {
    const matches = this.#identifiers.filter((identifier) => identifier.includes(part)).length;
    return matches / Math.max(1, this.size);
  }

  /**
   * Returns the pieces for looking up a part: a few letters of its rarest word, or a number. There is a second piece,
   * from another word, if many identifiers contain the first one and the second would exclude most of them.
   */
  piecesOf(part: string): readonly [rare: string, also?: string] {
    const [first, second] = [...part.matchAll(WORD)]
      .flatMap((word) => {
        const few = this.#rarityIn(part, word);
        return few === undefined ? [] : [{ word, few }];
      })
      .toSorted(
        (candidate, other) =>
          candidate.few - other.few || other.word[0].length - candidate.word[0].length,
      );
    if (!first) return [part];
    const rare = this.#pieceOf(part, first.word);
    // A piece that ends in half a character would match nothing.
    if (!rare.isWellFormed()) return [part];
    const many = MANY * Math.max(1, this.size);
    if (!second || second.few > many || this.shareWith(rare) <= FEW) return [rare];
    const also = this.#pieceOf(part, second.word);
    return also.isWellFormed() ? [rare, also] : [rare];
  }

  /**
   * The number of identifiers that contain the rarest letters of the word, or a short number with the characters around
   * it; undefined if that is too short.
   */
  #rarityIn(part: string, word: RegExpExecArray): number | undefined {
    if (word[0].length >= LETTERS) return this.#rarityOf(word[0]);
    const piece = this.#pieceOf(part, word);
    return NUMBER.test(word[0]) && piece.length >= LETTERS ? this.#rarityOf(piece) : undefined;
  }

  #pieceOf(part: string, { 0: word, index }: RegExpExecArray): string {
    if (NUMBER.test(word)) {
      return word.length >= LONG_NUMBER
        ? word.slice(0, LONGEST)
        : part.slice(Math.max(0, index - 1), index + word.length + 1);
    }
    const rarest = this.#countsOf(word).indexOf(this.#rarityOf(word));
    const from = Math.max(0, Math.min(rarest, word.length - SHORT));
    return word.slice(from, from + SHORT);
  }

  #rarityOf(word: string): number {
    return Math.min(...this.#countsOf(word));
  }

  #countsOf(word: string): number[] {
    return threesOf(word).map((three) => this.#counts.get(three) ?? 0);
  }
}

function threesOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - LETTERS + 1) }, (_, index) =>
    text.slice(index, index + LETTERS),
  );
}
