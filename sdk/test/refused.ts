import assert from 'node:assert/strict';
import { type RefusalReason, VerificationError } from '../src/errors.ts';

/** Asserts that a verification is refused for this reason, and returns the error. */
export async function assertRefused(
  verification: Promise<unknown>,
  reason: RefusalReason,
): Promise<VerificationError> {
  const error = await verification.then(
    () => assert.fail(`accepted instead of ${reason}`),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof VerificationError, String(error));
  assert.equal(error.reason, reason);
  return error;
}
