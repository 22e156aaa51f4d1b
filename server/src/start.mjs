// Starts the service: from a bundle, where setup has made one of just these sources and packages, otherwise from the
// sources themselves, which is slower and the same. Not TypeScript: what strips types takes 12 MB.

import { fileURLToPath, pathToFileURL } from 'node:url';
import { findBundle } from './bundle.mjs';
import { prepareRuntime } from './early.mjs';

prepareRuntime();

const bundle = findBundle(fileURLToPath(new URL('../..', import.meta.url)));
if (bundle === undefined) {
  await import('./main.ts');
} else {
  const { nameSources } = await import('./stack-places.mjs');
  const { href } = pathToFileURL(bundle);
  nameSources(new URL('.', href).href);
  await import(href);
}
