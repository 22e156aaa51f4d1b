/** A response: the record, the status and the headers. */
export interface ApiResponse<Data> {
  readonly data: Data;
  readonly status: number;
  readonly headers: Headers;
  /** The ID of the request in the service's log (`X-Request-Id`). */
  readonly requestId: string | undefined;
}

/**
 * The result of a call. `await client.users.get(id)` resolves to the record; `.withResponse()` also provides the
 * status, the headers and the request ID of the response.
 */
export class ApiPromise<Data> implements Promise<Data> {
  readonly [Symbol.toStringTag] = 'ApiPromise';
  readonly #response: Promise<ApiResponse<Data>>;

  constructor(response: Promise<ApiResponse<Data>>) {
    this.#response = response;
  }

  /** The record with the status, the headers and the request id of the response. */
  withResponse(): Promise<ApiResponse<Data>> {
    return this.#response;
  }

  /** Resolves like a promise of the record. */
  // oxlint-disable-next-line unicorn/no-thenable -- it is a promise
  then<Result = Data, Failed = never>(
    onFulfilled?: ((data: Data) => Result | PromiseLike<Result>) | null,
    onRejected?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Result | Failed> {
    return this.#response.then(({ data }) => data).then(onFulfilled, onRejected);
  }

  /** As of a promise. */
  catch<Failed = never>(
    onRejected?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Data | Failed> {
    return this.then(undefined, onRejected);
  }

  /** As of a promise. */
  finally(onFinally?: (() => void) | null): Promise<Data> {
    return this.then().finally(onFinally);
  }
}
