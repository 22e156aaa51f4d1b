/** Receives the progress and the records of a run. */
export interface Output {
  readonly say: (message: string) => void;
  /** Adds a line to the result file. */
  readonly record: (record: object) => void;
}
