import { isIPv4, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';

const MAX_DOMAIN = 253;
const MAX_LABEL = 63;
/** Rejects characters that a URL parser would truncate, drop or decode, so that two texts would be the same host. */
const NAME = /^(?:[\w.-]|\P{ASCII})+$/u;

/**
 * Returns a host name in its normalized form: without port and trailing dot, lowercase, punycode.
 * @returns undefined if it is not a host name
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
  // 127.1 and 0x7f.1 are spellings of the address 127.0.0.1, not its normal form.
  if (isIPv4(ascii) && ascii !== name) return undefined;
  const isName = ascii.length <= MAX_DOMAIN && ascii.split('.').every(isLabel);
  return isName ? ascii : undefined;
}

/** RFC 1035 §2.3.4. */
function isLabel(text: string): boolean {
  return text !== '' && text.length <= MAX_LABEL;
}

/** An IPv6 address in brackets, in the normal form of URLs. */
function normaliseAddress(name: string): string | undefined {
  const isAddress = name.endsWith(']') && !name.includes('%') && isIPv6(name.slice(1, -1));
  return isAddress ? new URL(`http://${name}`).hostname : undefined;
}
