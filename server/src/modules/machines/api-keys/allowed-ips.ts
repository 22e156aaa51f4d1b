import { BlockList, isIP } from 'node:net';
import type { Fail } from '@keywright/contract/errors';

const PREFIX_LENGTH = /^(0|[1-9][0-9]{0,2})$/;
const BITS = { 4: 32, 6: 128 } as const;

interface Network {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  readonly bits: number;
}

/** An address, or a network in CIDR form (RFC 4632, RFC 4291 §2.3). A link-local address is neither. */
function readNetwork(text: string): Network | undefined {
  const [address = '', length, ...rest] = text.split('/');
  const version = isIP(address) as 0 | 4 | 6;
  if (version === 0 || address.includes('%') || rest.length > 0) return undefined;
  if (length !== undefined && !PREFIX_LENGTH.test(length)) return undefined;
  const bits = length === undefined ? BITS[version] : Number(length);
  return bits > BITS[version]
    ? undefined
    : { address, family: version === 6 ? 'ipv6' : 'ipv4', bits };
}

/** @throws AppError VALIDATION_FAILED, naming each entry that is neither an address nor a network */
export function requireNetworks(list: readonly string[], fail: Fail<'VALIDATION_FAILED'>): void {
  const message = 'must be an IP address or a network, such as 192.0.2.7 or 192.0.2.0/24';
  const errors = list.flatMap((text, index) =>
    readNetwork(text) ? [] : [{ path: `/allowed_ips/${index}`, message }],
  );
  if (errors.length > 0) fail('VALIDATION_FAILED', { errors });
}

/** Whether an address is in one of the networks. */
export type IsAllowed = (address: string) => boolean;

export function networksMatcher(list: readonly string[]): IsAllowed {
  const networks = new BlockList();
  for (const text of list) {
    const network = readNetwork(text);
    if (network) networks.addSubnet(network.address, network.bits, network.family);
  }
  return (address) => {
    const version = isIP(address);
    return version !== 0 && networks.check(address, version === 6 ? 'ipv6' : 'ipv4');
  };
}
