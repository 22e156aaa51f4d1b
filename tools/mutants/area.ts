/** Critical code, and the tests that have to detect breaks in it. */
export interface Area {
  readonly sources: readonly string[];
  /** Database functions, by prefixes of their names. */
  readonly functions?: readonly string[];
  readonly tests: readonly string[];
}
