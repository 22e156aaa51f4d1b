import { lazy } from './lazy.ts';

/** TLS of Node.js, loaded on first use: loading it with the list of authorities takes 30 ms, and no start needs it. */
export const tls = lazy(() => process.getBuiltinModule('node:tls'));
