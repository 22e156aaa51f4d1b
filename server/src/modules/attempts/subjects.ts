import { isIPv6 } from 'node:net';
import { sha256 } from '../../platform/crypto/sealed.ts';

/** Attempts are counted by hashes, of one size: who was tried in vain is not kept in clear text. */
export function addressSubject(address: string): Buffer {
  return sha256(`address ${networkOf(address)}`);
}

/** Who reports found keys, counted apart from their logins. */
export function reporterSubject(address: string): Buffer {
  return sha256(`reporter ${networkOf(address)}`);
}

/** Who asks for tokens as a client: as this one, or as any. */
export function clientSubject(address: string, clientId?: string): Buffer {
  return sha256(`client ${networkOf(address)}${clientId === undefined ? '' : ` ${clientId}`}`);
}

export function identifierSubject(identifier: string): Buffer {
  return sha256(`identifier ${identifier}`);
}

export function userSubject(userId: string): Buffer {
  return sha256(`user ${userId}`);
}

function networkOf(address: string): string {
  return isIPv6(address) ? network64(address) : address;
}

/** One customer has a whole /64, so that is what is counted: the first four groups, written out. */
function network64(address: string): string {
  const [head = '', tail = ''] = (address.split('%', 1)[0] ?? '').split('::', 2);
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const groups = address.includes('::')
    ? [
        ...left,
        ...Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0'),
        ...right,
      ]
    : left;
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
