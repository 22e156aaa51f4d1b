import { isIPv4, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';

const MAX_DOMAIN = 253;
const MAX_LABEL = 63;
/** Anything else, a URL parser would cut off, drop or decode, and two texts would be one host. */
const NAME = /^(?:[\w.-]|\P{ASCII})+$/u;

/**
 * A host name in the one form that domains are kept and compared in: port and trailing dot gone, lower case,
 * punycode. Nothing when it is no host name.
 */
export function normaliseDomain(host: string): string | undefined {
  const name = host
    .trim()
    .replace(/:[0-9]*$/, '')
    .replace(/\.$/, '');
  if (name === '' || name.length > MAX_DOMAIN) return undefined;
  if (name.startsWith('[')) return normaliseAddress(name);
  if (!NAME.test(name)) return undefined;
  const ascii = domainToASCII(name).toLowerCase();
  // 127.1 and 0x7f.1 spell the address 127.0.0.1 and are not its name.
  if (isIPv4(ascii) && ascii !== name) return undefined;
  const isName = ascii.length <= MAX_DOMAIN && ascii.split('.').every(isLabel);
  return isName ? ascii : undefined;
}

/** RFC 1035 §2.3.4. */
function isLabel(text: string): boolean {
  return text !== '' && text.length <= MAX_LABEL;
}

/** An address of IPv6 in its brackets, spelled the one way that URLs spell it. */
function normaliseAddress(name: string): string | undefined {
  const isAddress = name.endsWith(']') && !name.includes('%') && isIPv6(name.slice(1, -1));
  return isAddress ? new URL(`http://${name}`).hostname : undefined;
}
