import Type from 'typebox';
import { EXPECTS } from '../expectation.ts';

/** RFC 3339, in UTC. */
export const Moment = Type.String({
  pattern:
    '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,3})?Z$',
  maxLength: 24,
  [EXPECTS]: 'a time in UTC, such as 2027-01-31T12:00:00Z',
  examples: ['2027-01-31T12:00:00Z'],
});
