import { lazy } from './lazy.ts';

/** Compression of Node.js, loaded on first use: it takes a megabyte, and no start needs it. */
export const zlib = lazy(() => process.getBuiltinModule('node:zlib'));
