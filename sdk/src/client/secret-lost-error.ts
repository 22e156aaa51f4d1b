/**
 * Something was created by an earlier attempt with the same `Idempotency-Key`, and its secret went with the answer that
 * was lost: the service keeps none. Delete what was created, or rotate its secret.
 */
export class SecretLostError extends Error {
  /** What was created, without its secret. */
  readonly record: unknown;
  /** Where to look in the log of the service. */
  readonly requestId: string | undefined;

  constructor(field: string, record: unknown, requestId: string | undefined) {
    super(
      `Created by an earlier attempt, whose answer alone had its ${field}. Delete it, or rotate its secret.`,
    );
    this.name = 'SecretLostError';
    this.record = record;
    this.requestId = requestId;
  }
}
