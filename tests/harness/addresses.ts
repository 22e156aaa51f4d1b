/** For tests with more rejections than one address may have: the service trusts the tests as a proxy. */
export const BEHIND_PROXY = { KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1/32' } as const;

let requests = 0;

/** Headers of a request that comes from another address than the one before. */
export function fromAnotherAddress(): Record<string, string> {
  requests += 1;
  return {
    'x-forwarded-for': `10.${[16, 8, 0].map((bits) => (requests >> bits) & 255).join('.')}`,
  };
}
