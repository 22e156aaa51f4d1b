/** Login methods that are counted separately: how the login started, regardless of any second factor. */
const COUNTED_METHODS = ['password', 'message', 'passkey', 'provider'] as const;
export type CountedMethod = (typeof COUNTED_METHODS)[number];

/** Counters of each tenant, by response field. Their names are stored, so they are never renamed. */
export const COUNTED = {
  logins: COUNTED_METHODS,
  logins_failed: [...COUNTED_METHODS, 'second_factor'],
  logins_throttled: null,
  sessions_begun: null,
  tokens_issued: null,
  requests: null,
  requests_refused: ['unauthenticated', 'forbidden', 'throttled'],
  deliveries: ['delivered', 'failed'],
} as const;

type Counted = typeof COUNTED;

/** A counter: a field, and its part if it has parts. */
export type Counter = {
  [Field in keyof Counted]: Counted[Field] extends readonly (infer Part extends string)[]
    ? `${Field}.${Part}`
    : Field;
}[keyof Counted];

/** All counters, in the order of the response. */
export const COUNTERS = Object.entries(COUNTED).flatMap(([field, parts]) =>
  parts ? parts.map((part) => `${field}.${part}`) : [field],
) as readonly Counter[];

/** Retention of the five-minute and daily counters. */
export const RETENTION_SECONDS = { '5m': 48 * 3600, day: 90 * 86_400 } as const;
