import { domainToASCII } from 'node:url';

const MAX_DOMAIN = 253;

/**
 * A host name in the one form that domains are kept and compared in: port and trailing dot gone, lower case,
 * punycode. Nothing when it is no host name.
 */
export function normaliseDomain(host: string): string | undefined {
  const name = withoutPort(host.trim()).replace(/\.$/, '');
  if (name === '' || name.length > MAX_DOMAIN) return undefined;
  if (name.startsWith('[')) return name.toLowerCase();
  const ascii = domainToASCII(name).toLowerCase();
  return ascii === '' || ascii.length > MAX_DOMAIN ? undefined : ascii;
}

function withoutPort(host: string): string {
  if (host.startsWith('[')) return host.slice(0, host.indexOf(']') + 1);
  return host.replace(/:[0-9]*$/, '');
}
