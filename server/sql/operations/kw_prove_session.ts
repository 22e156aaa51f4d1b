// Made from kw_prove_session.sql by `npm run generate`.

import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const proveSession: Statement & Call<{
  readonly sample: Date;
}, { readonly answer: Date }> = {
  name: 'kw_prove_session',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT kw_prove_session($1) AS answer',
  values: ({ sample }) => [sample],
};
