import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Peer } from './peer.ts';

const WARNING =
  'X-Forwarded-For is ignored, because it came from an address that is not in KEYWRIGHT_TRUSTED_PROXIES. ' +
  'If it is your proxy, add it: until then all its clients share its address, and its limits.';

/** A proxy that is still in use has sent a request within this time. */
const SEEN_MS = 15 * 60 * 1000;

/**
 * Tracks requests forwarded by an untrusted address. They count toward that address, like all others: a header raises
 * no limit. An internal address is probably a proxy of the operator, who must configure it.
 */
export class UntrustedProxies {
  readonly #log: Pick<Log, 'warn'>;
  readonly #clock: Clock;
  readonly #warned = new Set<Peer['untrustedProxy']>([undefined]);
  #seenAt: Date | undefined;

  constructor(log: Pick<Log, 'warn'>, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** Logs the first request of each kind: a client that sends the header must not flood the log. */
  note({ address, untrustedProxy }: Peer): void {
    if (untrustedProxy === 'internal') this.#seenAt = this.#clock.now();
    if (this.#warned.has(untrustedProxy)) return;
    this.#warned.add(untrustedProxy);
    this.#log.warn({ address }, WARNING);
  }

  /** Whether an internal proxy is in use. Public clients can also send the header, and must not cause this. */
  get isInternalInUse(): boolean {
    return (
      this.#seenAt !== undefined && this.#clock.now().getTime() < this.#seenAt.getTime() + SEEN_MS
    );
  }
}
