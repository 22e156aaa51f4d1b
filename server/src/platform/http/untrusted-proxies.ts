import type { Log } from '../log.ts';
import type { Peer } from './peer.ts';

const WARNING =
  'X-Forwarded-For is ignored, because it came from an address that is not in KEYWRIGHT_TRUSTED_PROXIES. ' +
  'If it is your proxy, add it: until then all its clients share its address.';

/** Warns once of each kind: a client that sends the header must not flood the log. */
export function createProxyWarning(log: Pick<Log, 'warn'>): (peer: Peer) => void {
  const warned = new Set<Peer['untrustedProxy']>([undefined]);
  return ({ address, untrustedProxy }) => {
    if (warned.has(untrustedProxy)) return;
    warned.add(untrustedProxy);
    log.warn({ address }, WARNING);
  };
}
