import assert from 'node:assert/strict';
import { ApiError } from '../src/client/api-error.ts';

/** Returns the error of a call that the service must refuse. */
export async function failure(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => assert.fail('it succeeded'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ApiError, String(error));
  return error;
}
