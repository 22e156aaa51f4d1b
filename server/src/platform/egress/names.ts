import { type LookupAddress, promises as dns } from 'node:dns';
import { setTimeout as pause } from 'node:timers/promises';
import type { LookupFunction } from 'node:net';
import { type Destination, type EgressAllow, isHostAllowed } from './operator-exceptions.ts';
import { objectionToAddress } from './address-rules.ts';
import { codeOf, EgressError } from './reasons.ts';

/** Maximum number of addresses of a name; further ones are ignored. */
const MAX_ADDRESSES = 8;
/** Maximum number and length of a name's TXT records; the rest is ignored. */
const MAX_TEXTS = 100;
const LONGEST_TEXT = 512;
/** The codes of Node.js for a name without such records. */
const ABSENT: readonly string[] = ['ENOTFOUND', 'ENODATA'];
/** How long to wait for the other address family once one has answered (RFC 8305 §3). */
const RESOLUTION_DELAY_MS = 50;
/** Interval at which /etc/resolv.conf is read again. */
const RESOLVER_LIFE_MS = 60_000;

/**
 * Resolves a destination to its allowed addresses. Sockets connect to these addresses only, so a name that changes
 * between two queries (DNS rebinding) gains nothing. Names chosen by users are resolved by the DNS servers. Names
 * allowed by the operator are resolved by the system, which knows /etc/hosts and search domains but needs a thread for
 * each query: a name with unresponsive servers would delay password hashes.
 */
export class Names {
  readonly #allow: EgressAllow;
  readonly #servers: readonly string[] | undefined;
  #resolver: dns.Resolver | undefined;
  #renewAtMs = 0;

  constructor(allow: EgressAllow, servers: readonly string[] | undefined) {
    this.#allow = allow;
    this.#servers = servers;
  }

  /** The lookup function of a socket, bound to its destination. Fails with an EgressError. */
  lookupOf(destination: Destination): LookupFunction {
    return (_hostname, _options, callback) => {
      void this.#findPermitted(destination).then(
        (addresses) => callback(null, addresses),
        (error: unknown) => callback(asEgressError(error), []),
      );
    };
  }

  /**
   * Returns the TXT records of a name (RFC 1035 §3.3.14) from the DNS servers; empty if it has none.
   * @throws EgressError if no server responds
   */
  async findTexts(name: string): Promise<readonly string[]> {
    try {
      const found = await this.#currentResolver().resolveTxt(name);
      return found.slice(0, MAX_TEXTS).map((parts) => parts.join('').slice(0, LONGEST_TEXT));
    } catch (error) {
      if (ABSENT.includes(codeOf(error) ?? '')) return [];
      throw asEgressError(error);
    }
  }

  async #findPermitted(destination: Destination): Promise<LookupAddress[]> {
    const { hostname } = destination;
    const found = isHostAllowed(this.#allow, destination)
      ? await dns.lookup(hostname, { all: true })
      : await this.#resolve(hostname);
    const objections = found.map(({ address }) =>
      objectionToAddress(this.#allow, destination, address),
    );
    const permitted = found.filter((_address, index) => objections[index] === undefined);
    if (permitted.length > 0) return permitted.slice(0, MAX_ADDRESSES);
    throw new EgressError(objections[0] ?? 'name_not_resolved');
  }

  async #resolve(hostname: string): Promise<LookupAddress[]> {
    const resolver = this.#currentResolver();
    const found: LookupAddress[] = [];
    const resolve = async (family: 4 | 6) => {
      const addresses = await (family === 4
        ? resolver.resolve4(hostname)
        : resolver.resolve6(hostname));
      found.push(...addresses.map((address) => ({ address, family })));
    };
    const questions = [resolve(4), resolve(6)];
    const first = Promise.any(questions).then(() =>
      pause(RESOLUTION_DELAY_MS, undefined, { ref: false }),
    );
    await Promise.race([Promise.allSettled(questions), first]);
    if (found.length === 0) await first;
    return found.toSorted((a, b) => a.family - b.family);
  }

  #currentResolver(): dns.Resolver {
    if (this.#resolver === undefined || performance.now() > this.#renewAtMs) {
      this.#resolver = new dns.Resolver({ timeout: 1500, tries: 2 });
      if (this.#servers) this.#resolver.setServers(this.#servers);
      this.#renewAtMs = performance.now() + RESOLVER_LIFE_MS;
    }
    return this.#resolver;
  }
}

function asEgressError(error: unknown): EgressError {
  if (error instanceof EgressError) return error;
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  return new EgressError('name_not_resolved', codeOf(cause));
}

/** Looks TXT records up, within a second or two. */
export function createFindTexts({
  allow,
  dnsServers,
}: {
  readonly allow: EgressAllow;
  readonly dnsServers?: readonly string[];
}): (name: string) => Promise<readonly string[]> {
  const names = new Names(allow, dnsServers);
  return (name) => names.findTexts(name);
}
