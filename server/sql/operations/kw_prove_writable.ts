// Made from kw_prove_writable.sql by `npm run generate`.

import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const proveWritable: Statement & Call<{
  readonly process: string;
  readonly host: string;
  readonly version: string;
}, unknown> = {
  name: 'kw_prove_writable',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT kw_prove_writable($1, $2, $3)',
  values: ({ process, host, version }) => [process, host, version],
};
