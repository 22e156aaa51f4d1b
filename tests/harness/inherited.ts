import { fileURLToPath } from 'node:url';

const COMPILE_CACHE = 'NODE_COMPILE_CACHE';

/** Hundreds of processes load the same modules in a test run: what is compiled once is kept for the others. */
export function shareCompiledCode(): void {
  process.env[COMPILE_CACHE] ??= fileURLToPath(
    new URL('../../node_modules/.cache/compiled-for-tests', import.meta.url),
  );
}

/** What every process that a test starts takes over from this one; the rest of its environment is the test's. */
export function inheritedEnvironment(): Record<string, string> {
  const inherited: Record<string, string> = {};
  for (const name of ['PATH', COMPILE_CACHE]) {
    const value = process.env[name];
    if (value !== undefined) inherited[name] = value;
  }
  return inherited;
}
