import { isWithin, rangesOf } from './cidr.ts';
import type { Config } from './config.ts';

/** The loopback addresses. */
export const LOOPBACK = rangesOf(['127.0.0.0/8', '::1/128']);

/**
 * Whether messages can be shown instead of sent, as on a developer's machine. In production that would write working
 * links to the log. The installation is in production if NODE_ENV is production, it uses a PostgreSQL server, or its
 * public address is not a loopback address.
 */
export function isDevelopment({ production, databaseUrl, baseUrl }: Config): boolean {
  return (
    !production &&
    databaseUrl === undefined &&
    (baseUrl === undefined || isLoopback(new URL(baseUrl).hostname))
  );
}

/** How emails of tenants without their own mail server are delivered. */
export function mailForAll(config: Config): 'installation' | 'development' | 'none' {
  if (config.mail !== undefined) return 'installation';
  return isDevelopment(config) ? 'development' : 'none';
}

/** Whether emails of tenants without their own mail server are sent or shown. */
export function sendsMailForAll(config: Config): boolean {
  return mailForAll(config) !== 'none';
}

export function isLoopback(hostname: string): boolean {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return bare === 'localhost' || isWithin(LOOPBACK(), bare);
}
