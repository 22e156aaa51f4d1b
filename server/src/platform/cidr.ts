import { BlockList, isIP } from 'node:net';
import { lazy } from './lazy.ts';

/** A range of addresses; a single address is a range of one. */
export interface AddressRange {
  readonly address: string;
  /** Length of the prefix in bits. */
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

const PREFIX_LENGTH = /^(?:0|[1-9][0-9]{0,2})$/;

/**
 * Parses `10.0.0.0/8`, `2001:db8::/32` or a bare address (RFC 4632, RFC 4291 §2.3).
 * @returns undefined for any other input, and for addresses with a zone
 */
export function parseRange(text: string): AddressRange | undefined {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  const longest = version === 6 ? 128 : 32;
  if (version === 0 || address.includes('%') || rest.length > 0) return undefined;
  // Number('') is 0: `10.0.0.0/` would match every address.
  if (bits !== undefined && !PREFIX_LENGTH.test(bits)) return undefined;
  const prefix = bits === undefined ? longest : Number(bits);
  if (prefix > longest) return undefined;
  return { address, prefix, family: version === 6 ? 'ipv6' : 'ipv4' };
}

/** The ranges as one list, for `isWithin`. */
export function listOf(ranges: readonly AddressRange[]): BlockList {
  const list = new BlockList();
  for (const { address, prefix, family } of ranges) list.addSubnet(address, prefix, family);
  return list;
}

/** Valid ranges, parsed on first use, since compiling the IPv6 pattern takes Node.js 7 ms. */
export function rangesOf(texts: readonly string[]): () => BlockList {
  return lazy(() => listOf(texts.flatMap((text) => parseRange(text) ?? [])));
}

/** Whether an address lies within one of the ranges of the list. */
export function isWithin(list: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4');
}
