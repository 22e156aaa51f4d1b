import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildFolder, isBuilt } from '../../tools/setup/sources.mjs';

/** Set when all tests run, and inherited by the test processes. */
const BUILT = 'KEYWRIGHT_TEST_BUILT_SERVICE';
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Builds the service unless the build is current. A built service starts in a third of the time. */
export async function shareBuild(): Promise<void> {
  if (!isBuilt(ROOT)) {
    // Loaded on demand: it loads the bundler.
    const { buildService } = await import('../../tools/setup/build.mjs');
    await buildService(ROOT, (message) => assert.fail(message));
    // The bundler's process would keep 400 MB of memory.
    const { stop } = await import('esbuild');
    await stop();
  }
  process.env[BUILT] = join(buildFolder(ROOT), 'start.mjs');
}

/** The program; undefined if only some test files are run: they start the sources, which need no build. */
export function builtService(): string | undefined {
  return process.env[BUILT];
}
