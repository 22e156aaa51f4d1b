import type { Fail } from '@keywright/contract/errors';

/** RFC 3339 §5.6, with an offset: a time without one is ambiguous. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i;

/** A time in a request. @param path of the member, for the message */
export function readMoment(text: string, path: string, fail: Fail<'VALIDATION_FAILED'>): Date {
  const moment = new Date(text);
  if (MOMENT.test(text) && !Number.isNaN(moment.getTime())) return moment;
  const message = 'must be a time such as 2026-01-31T09:30:00Z';
  return fail('VALIDATION_FAILED', { errors: [{ path, message }] });
}
