/** What the machine is measured by, in the same minute as the service. */
export type CalibrationName = 'hash' | 'sign' | 'verify' | 'bare-http';

export interface CalibrationResult {
  /** CPU time of one operation. */
  readonly micros: number;
  readonly perSecond: number;
}

export interface Calibration {
  readonly name: CalibrationName;
  run(seconds: number): Promise<CalibrationResult>;
  close(): void;
}

/**
 * What one operation cost, in CPU microseconds, on the machine that the bars were set on. Another figure
 * here says how much slower or faster the machine of this run is.
 */
export const REFERENCE_MICROS: Readonly<Record<CalibrationName, number>> = {
  hash: 9200,
  sign: 31,
  verify: 87,
  'bare-http': 12.4,
};
