import { lazy } from './lazy.ts';

/** TLS of Node.js: no start needs it, and loading it with the list of authorities takes 30 ms. */
export const tls = lazy(() => process.getBuiltinModule('node:tls'));
