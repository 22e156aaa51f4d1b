import { AppError } from '@keywright/contract/errors';
import type { FastifyInstance } from 'fastify';

/** Far above any form that means something: what is larger is not taken apart. */
const MAX_LENGTH = 64 * 1024;

/** Makes the routes of a context take `application/x-www-form-urlencoded` too. */
export function acceptForms(context: FastifyInstance): void {
  context.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      const text = body as string;
      if (text.length > MAX_LENGTH) return done(new AppError('BODY_TOO_LARGE', TOO_LARGE));
      return done(null, readForm(text));
    },
  );
}

const TOO_LARGE = { detail: 'A form may have 64 KiB at the most.' };

/**
 * The fields of a form, each a text; one that comes several times is a list, which only a route that expects it
 * takes. Fields without a value count as left out (RFC 6749 §3.1).
 */
export function readForm(text: string): Record<string, string | string[]> {
  const fields = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (value === '') continue;
    const values = fields.get(name);
    if (values) values.push(value);
    else fields.set(name, [value]);
  }
  const one = ([name, values]: [string, string[]]) => [
    name,
    values.length > 1 ? values : values[0],
  ];
  return Object.fromEntries([...fields].map(one));
}
