import Type, { type TSchema } from 'typebox';
import { secret } from '../records/tokens.ts';
import { AgentScopeSchema, ScopeSchema } from '../scope-schema.ts';
import { LINE_OF_TEXT, LINES_OF_TEXT } from '../shape.ts';
import { EXPECTS } from '../expectation.ts';

/** An email address or a phone number as typed, parsed by `parseIdentifier`. */
export const IdentifierText = Type.String({
  minLength: 3,
  maxLength: 254,
  description: 'An email address, or a phone number in E.164 format.',
  examples: ['ada@example.com'],
});

/**
 * A password. The maximum length is checked here, so that longer passwords are rejected before hashing; the minimum
 * length is a tenant setting.
 */
export const SecretText = secret({
  minLength: 1,
  maxLength: 1024,
  description: 'A password of at most 256 characters after NFKC normalization.',
  examples: ['correct horse battery staple'],
});

/** `true` or `false` in a query. */
export const booleanText = (description: string) => Type.Enum(['true', 'false'], { description });

/** A text that a list is searched for. */
export const searchText = (description: string) =>
  Type.String({ minLength: 1, maxLength: 254, ...LINE_OF_TEXT, description });

/** The media type of responses in JSON lines. */
export const JSON_LINES = 'application/x-ndjson';

/** A time that the service parses itself, so that the error can name the invalid field. */
export const moment = (description: string) => Type.String({ maxLength: 40, description });

export const displayName = (example: string) =>
  Type.String({
    minLength: 1,
    maxLength: 128,
    ...LINE_OF_TEXT,
    description: 'Display name, on a single line.',
    examples: [example],
  });

export const description = (example: string) =>
  Type.String({
    maxLength: 512,
    ...LINES_OF_TEXT,
    description: 'Purpose of the record.',
    examples: [example],
  });

export const scopes = (text: string) =>
  Type.Array(ScopeSchema, { maxItems: 128, uniqueItems: true, description: text });

export const agentScopes = (text: string) =>
  Type.Array(AgentScopeSchema, { maxItems: 128, uniqueItems: true, description: text });

/** The reason for an action, recorded in the audit log. */
export const reason = (example: string) =>
  Type.String({
    minLength: 3,
    maxLength: 512,
    ...LINE_OF_TEXT,
    description: 'Reason, recorded in the audit log.',
    examples: [example],
  });

export const Slug = Type.String({
  pattern: '^[a-z0-9-]{1,48}$',
  [EXPECTS]: '1 to 48 lower-case letters, digits and dashes',
  description: 'The ID without its prefix. Default: derived from the name.',
  examples: ['acme'],
});

export const SORT_BY_AGE = Type.Optional(
  Type.Enum(['created_at', '-created_at'], {
    description: 'Sort order by age. `-created_at` (default) lists the newest first.',
    examples: ['-created_at'],
  }),
);

/** Returns the response schema of a deletion. */
export function deleted<Id extends TSchema>(id: Id) {
  return Type.Object({
    id,
    deleted: Type.Literal(true, { description: 'Always `true`: the record was deleted.' }),
  });
}

/** Returns the response schema for deleting a credential: it no longer works, while its record remains. */
export function revoked<Id extends TSchema>(id: Id) {
  return Type.Object({
    id,
    revoked: Type.Literal(true, {
      description: 'Always `true`: the credential no longer works. Its record is kept.',
    }),
  });
}

export const DRY_RUN = booleanText('With `true`, returns what would change and changes nothing.');

export const NOT_MODIFIED = {
  status: 304,
  description: 'If-None-Match matches the current version.',
} as const;

/**
 * The targets of a token (RFC 8707), a parameter that can be repeated.
 * @param $id generators for other languages fail on an unnamed union of string and array
 */
export function targets($id: string, about: string) {
  return Type.Optional(
    Type.Union(
      [
        Type.String({ maxLength: 512 }),
        Type.Array(Type.String({ maxLength: 512 }), { maxItems: 8 }),
      ],
      { $id, description: about, examples: ['https://id.example.com/t/org_acme'] },
    ),
  );
}
