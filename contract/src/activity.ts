/** Methods that logins are counted by: how they began, whatever second factor followed. */
const COUNTED_METHODS = ['password', 'message', 'passkey', 'provider'] as const;
export type CountedMethod = (typeof COUNTED_METHODS)[number];

/** What is counted for each tenant, by the field of an answer. Names are stored: they are never renamed. */
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

/** A counter: a field, with the part of it if it has some. */
export type Counter = {
  [Field in keyof Counted]: Counted[Field] extends readonly (infer Part extends string)[]
    ? `${Field}.${Part}`
    : Field;
}[keyof Counted];

/** All of them, in the order of the answer. */
export const COUNTERS = Object.entries(COUNTED).flatMap(([field, parts]) =>
  parts ? parts.map((part) => `${field}.${part}`) : [field],
) as readonly Counter[];

/** How long counters of five minutes and of days are kept. */
export const KEPT_SECONDS = { '5m': 48 * 3600, day: 90 * 86_400 } as const;
