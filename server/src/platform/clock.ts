/** The source of time of the service, which tests can set. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** Seconds since the epoch, rounded down (RFC 7519 NumericDate). */
export function epochSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
