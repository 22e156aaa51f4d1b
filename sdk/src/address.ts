const LOOPBACK = /^(localhost|(.+\.)?localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Requires an address that nobody in between can read or change.
 *
 * @throws TypeError
 */
export function requireAddress(address: string, allowHttp: boolean): void {
  if (!URL.canParse(address)) throw new TypeError(`${address} is not an address.`);
  const { protocol, hostname } = new URL(address);
  if (protocol === 'https:') return;
  if (protocol !== 'http:') throw new TypeError(`${address} is neither https nor http.`);
  if (allowHttp || LOOPBACK.test(hostname)) return;
  throw new TypeError(
    `${address} is not encrypted: whoever is in between can read and change everything. Use https, or set allowHttp.`,
  );
}
