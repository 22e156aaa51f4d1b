// Made from kw_queue_unsent.sql by `npm run generate`.

import type { Call } from '../../src/platform/db/calls.ts';

export const queueUnsent: Call<{
  readonly now: Date;
}, unknown> = {
  text: 'SELECT kw_queue_unsent($1)',
  values: ({ now }) => [now],
};
