import { isWithin, rangesOf } from './cidr.ts';
import type { Config } from './config.ts';

/** The addresses of this machine itself. */
export const LOOPBACK = rangesOf(['127.0.0.0/8', '::1/128']);

/**
 * Whether messages may be shown instead of sent: on a developer's machine. In production that would write working links
 * to the log. Production is: NODE_ENV is production, or there is a PostgreSQL server, or the public address is not a
 * loopback one.
 */
export function isDevelopment({ production, databaseUrl, baseUrl }: Config): boolean {
  return (
    !production &&
    databaseUrl === undefined &&
    (baseUrl === undefined || isLoopback(new URL(baseUrl).hostname))
  );
}

/** Whether messages of tenants without a mail server of their own are sent, or shown. */
export function sendsMailForAll(config: Config): boolean {
  return config.mail !== undefined || isDevelopment(config);
}

export function isLoopback(hostname: string): boolean {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return bare === 'localhost' || isWithin(LOOPBACK(), bare);
}
