export type FloorName = 'hash' | 'sign' | 'verify' | 'bare-http';

export interface FloorCost {
  /** CPU time of one operation. */
  readonly micros: number;
  readonly perSecond: number;
}

/** The least work of a row, measured in the same rounds: a bare hash, signature, verification or HTTP response. */
export interface Floor {
  readonly name: FloorName;
  run(seconds: number): Promise<FloorCost>;
  close(): void;
}
