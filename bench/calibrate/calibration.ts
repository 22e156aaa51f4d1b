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

/** CPU microseconds of one operation on the reference machine, for which the bars were set. */
export const REFERENCE_MICROS: Readonly<Record<CalibrationName, number>> = {
  hash: 9200,
  sign: 31,
  verify: 87,
  'bare-http': 12.4,
};
