/** Where a run reports its progress and its records. */
export interface Output {
  readonly say: (message: string) => void;
  /** Adds a line to the result file. */
  readonly record: (record: object) => void;
}
