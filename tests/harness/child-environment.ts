import { fileURLToPath } from 'node:url';

const COMPILE_CACHE = 'NODE_COMPILE_CACHE';

/** Hundreds of processes load the same modules in a test run: they share compiled code. */
export function shareCompiledCode(): void {
  process.env[COMPILE_CACHE] ??= fileURLToPath(
    new URL('../../node_modules/.cache/compiled-for-tests', import.meta.url),
  );
}

/** The variables that every child process of a test inherits; the test sets the others. */
export function inheritedEnvironment(): Record<string, string> {
  const inherited: Record<string, string> = {};
  for (const name of ['PATH', COMPILE_CACHE]) {
    const value = process.env[name];
    if (value !== undefined) inherited[name] = value;
  }
  return inherited;
}
