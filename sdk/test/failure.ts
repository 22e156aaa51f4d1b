import assert from 'node:assert/strict';
import { ApiError } from '../src/client/api-error.ts';

/** What a call failed with that the service refuses. */
export async function failure(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => assert.fail('it succeeded'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ApiError, String(error));
  return error;
}
