// Where the built service starts. The sources start at main.ts.

import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { nameSources } from './stack-places.ts';

// A tenth of a start's CPU time (ADR 26). Where the folder is read-only, nothing is kept.
enableCompileCache(join(import.meta.dirname, 'compiled'));
nameSources(import.meta.dirname);
await import('./main.ts');
