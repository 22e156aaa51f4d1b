/**
 * An earlier attempt with the same `Idempotency-Key` created a record, but its secret was lost with the response,
 * because the service does not store it. Delete the record or rotate its secret.
 */
export class SecretLostError extends Error {
  /** The created record, without its secret. */
  readonly record: unknown;
  /** The ID of the request in the service's log. */
  readonly requestId: string | undefined;

  constructor(field: string, record: unknown, requestId: string | undefined) {
    super(
      `An earlier attempt created this record, and only that response contained its ${field}. Delete the record, or rotate its secret.`,
    );
    this.name = 'SecretLostError';
    this.record = record;
    this.requestId = requestId;
  }
}
