import type { TestContext } from 'node:test';
import { createVerifier } from '../src/verifier/verifier.ts';
import type { VerifierOptions } from '../src/verifier/options.ts';
import type { Problem } from '../src/verifier/problem.ts';
import type { TestIssuer } from './issuer.ts';

/** A verifier for the issuer that uses the test's clock and is closed with the test. */
export function verifierOf(
  t: TestContext,
  issuer: TestIssuer,
  options: Partial<VerifierOptions> = {},
) {
  const problems: Problem[] = [];
  const clock = { aheadMs: 0 };
  const verifier = createVerifier({
    issuer: issuer.name,
    onProblem: (problem) => problems.push(problem),
    now: () => Date.now() + clock.aheadMs,
    ...options,
  });
  t.after(() => verifier.close());
  return {
    verifier,
    problems,
    advance: (seconds: number) => void (clock.aheadMs += seconds * 1000),
    codes: () => problems.map(({ code }) => code),
  };
}
