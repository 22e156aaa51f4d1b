/** Avoids the limit on rejections per address: the service trusts the tests as a proxy. */
export const BEHIND_PROXY = { KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1/32' } as const;

let requests = 0;

/** Headers of a request from an address that differs from the previous one. */
export function fromAnotherAddress(): Record<string, string> {
  requests += 1;
  return {
    'x-forwarded-for': `10.${[16, 8, 0].map((bits) => (requests >> bits) & 255).join('.')}`,
  };
}
