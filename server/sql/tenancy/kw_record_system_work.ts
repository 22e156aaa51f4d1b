// Made from kw_record_system_work.sql by `npm run generate`.

import type { Call } from '../../src/platform/db/calls.ts';

export const recordSystemWork: Call<{
  readonly entries: string;
}, unknown> = {
  text: 'SELECT kw_record_system_work($1)',
  values: ({ entries }) => [entries],
};
