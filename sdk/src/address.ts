const LOOPBACK = /^(localhost|(.+\.)?localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether the connection to the URL is secure: https, or this machine. */
export function isPrivate({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}

/**
 * Requires a URL with a secure connection.
 *
 * @param option the option that holds the URL
 * @throws TypeError
 */
export function requireAddress(option: string, address: string, allowHttp: boolean): void {
  const expected = `Expected ${option} to be an absolute URL such as https://id.example.com`;
  if (!URL.canParse(address)) throw new TypeError(`${expected}, got ${JSON.stringify(address)}.`);
  const url = new URL(address);
  if (!/^https?:$/.test(url.protocol)) throw new TypeError(`${expected}, got ${address}.`);
  if (allowHttp || isPrivate(url)) return;
  throw new TypeError(
    `Expected ${option} to use https, got ${address}: without it, an attacker on the network can read and change everything. Set allowHttp to accept that.`,
  );
}
