/** Bits of a tenant that were set, between two versions of its lists. */
export interface StatusChange {
  /** Earlier changes include everything that was set up to this version. */
  readonly from: number;
  readonly version: number;
  /** Numbered over all lists; undefined when there are too many to list. */
  readonly bits: readonly number[] | undefined;
}
