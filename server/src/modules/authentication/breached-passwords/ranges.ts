import { createCache } from '../../../platform/cache/cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Egress } from '../../../platform/egress/egress.ts';

/** A login waits for it. */
const TIMEOUT_MS = 1500;
/** Five times that of the largest range with its padding. */
const MAX_BYTES = 256 * 1024;
/** Ranges that are kept, of about 40 KiB each. */
const MAX_RANGES = 64;
const RANGE_LIFE_MS = 60 * 60 * 1000;
const PREFIX_DIGITS = 5;

/** Asks a service which hashes there are that begin alike, so that it does not learn which one is meant. */
export interface Ranges {
  /** @returns undefined if the service does not answer in time, or as it should */
  has(sha1: Buffer): Promise<boolean | undefined>;
}

interface Range {
  readonly text: string;
  readonly goodUntil: number;
}

/** @param url that of the service, without `/range/` */
export function createRanges(egress: Egress, clock: Clock, url: string): Ranges {
  const known = createCache<string, Range>(MAX_RANGES);

  async function ask(prefix: string): Promise<string | undefined> {
    const answer = await egress.send({
      method: 'GET',
      url: `${url}/range/${prefix}`,
      onBehalfOf: 'breached passwords',
      // The size of an answer must not tell which range it is of.
      headers: { 'add-padding': 'true' },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
    if (answer.outcome !== 'answered' || answer.status !== 200) return undefined;
    const text = answer.body.toString('latin1').toUpperCase();
    return isRange(text) ? text : undefined;
  }

  return {
    async has(sha1) {
      const hex = sha1.toString('hex').toUpperCase();
      const prefix = hex.slice(0, PREFIX_DIGITS);
      const now = clock.now().getTime();
      const kept = known.get(prefix);
      const text = kept && kept.goodUntil > now ? kept.text : await ask(prefix);
      if (text === undefined) return undefined;
      if (text !== kept?.text) known.set(prefix, { text, goodUntil: now + RANGE_LIFE_MS });
      return countOf(text, hex.slice(PREFIX_DIGITS)) > 0;
    },
  };
}

/** The rest of a hash and how often it was found, in each line. */
const LINE = /^[0-9A-F]{35}:\d{1,12}\r?$/;

function isRange(text: string): boolean {
  const [first = ''] = text.split('\n', 1);
  return text === '' || LINE.test(first);
}

/** Lines of padding have a count of 0. */
function countOf(text: string, suffix: string): number {
  const at = text.indexOf(`${suffix}:`);
  return at < 0 ? 0 : Number.parseInt(text.slice(at + suffix.length + 1), 10);
}
