/**
 * Why an event is rejected, as reported to the transmitter (RFC 8935 §2.4):
 * - `invalid_request`: it is not a SET, or it is incomplete;
 * - `invalid_key`: its key is unknown, or its signature is invalid;
 * - `invalid_issuer`, `invalid_audience`: it comes from another issuer, or is for another receiver;
 * - `unavailable`: the keys could not be fetched. Only after this error should the event be delivered again.
 */
export type SignalErrorCode =
  | 'invalid_request'
  | 'invalid_key'
  | 'invalid_issuer'
  | 'invalid_audience'
  | 'unavailable';

/** A rejected event. */
export class SignalError extends Error {
  /** Stable. */
  readonly code: SignalErrorCode;
  /** The status to respond with: 400, or 503 while the keys cannot be fetched. */
  readonly httpStatus: 400 | 503;

  constructor(code: SignalErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'SignalError';
    this.code = code;
    this.httpStatus = code === 'unavailable' ? 503 : 400;
  }
}
