import { lazy } from './lazy.ts';

/** Compression of Node.js, which takes a megabyte once it is loaded: no start needs it. */
export const zlib = lazy(() => process.getBuiltinModule('node:zlib'));
