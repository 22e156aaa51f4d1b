/** Housekeeping renews the lease every five minutes, of which one may fail. */
const LEASE_SECONDS = 11 * 60;

export function leaseEnd(now: Date): Date {
  return new Date(now.getTime() + LEASE_SECONDS * 1000);
}
