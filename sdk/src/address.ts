const LOOPBACK = /^(localhost|(.+\.)?localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Requires an address that nobody in between can read or change.
 *
 * @param option what the address was given as
 * @throws TypeError
 */
export function requireAddress(option: string, address: string, allowHttp: boolean): void {
  const expected = `Expected ${option} to be an absolute URL such as https://id.example.com`;
  if (!URL.canParse(address)) throw new TypeError(`${expected}, got ${JSON.stringify(address)}.`);
  const { protocol, hostname } = new URL(address);
  if (protocol === 'https:') return;
  if (protocol !== 'http:') throw new TypeError(`${expected}, got ${address}.`);
  if (allowHttp || LOOPBACK.test(hostname)) return;
  throw new TypeError(
    `Expected ${option} to use https, got ${address}: without it, anybody on the network can read and change everything. Set allowHttp to accept that.`,
  );
}
