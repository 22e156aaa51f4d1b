import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Peer } from './peer.ts';

const WARNING =
  'X-Forwarded-For is ignored, because it came from an address that is not in KEYWRIGHT_TRUSTED_PROXIES. ' +
  'If it is your proxy, add it: until then all its clients share its address, and its limits.';

/** A proxy that is still in use has sent a request within this time. */
const SEEN_MS = 15 * 60 * 1000;

/**
 * Requests that were forwarded by an address that is not trusted. They are counted by that address, as all others are:
 * a header raises no limit. If the address is internal, it is probably a proxy of the operator, who has to configure it.
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

  /** Whether an internal one is in use. Public clients can send the header too, and must not cause this. */
  get isInternalInUse(): boolean {
    return (
      this.#seenAt !== undefined && this.#clock.now().getTime() < this.#seenAt.getTime() + SEEN_MS
    );
  }
}
