import Type from 'typebox';
import { secret } from '../records/tokens.ts';
import { ScopeSchema } from '../scope-schema.ts';
import { LINE_OF_TEXT, LINES_OF_TEXT } from '../shape.ts';
import { EXPECTS } from '../expectation.ts';

/** An e-mail address or a phone number, as it is typed; `parseIdentifier` decides. */
export const IdentifierText = Type.String({
  minLength: 3,
  maxLength: 254,
  description: 'An e-mail address, or a phone number in E.164 form.',
});

/**
 * A password. Its upper bound stands here, so that a longer one is refused before any hashing; how long it
 * must be at least is the tenant's to say.
 */
export const SecretText = secret({
  minLength: 1,
  maxLength: 1024,
  description: 'A password of at most 256 characters, counted after NFKC.',
});

/** `true` or `false` in a query. */
export const BooleanText = Type.Enum(['true', 'false']);

export const DisplayName = Type.String({
  minLength: 1,
  maxLength: 128,
  ...LINE_OF_TEXT,
});

export const Description = Type.String({ maxLength: 512, ...LINES_OF_TEXT });

export const Scopes = Type.Array(ScopeSchema, { maxItems: 128, uniqueItems: true });

export const Slug = Type.String({
  pattern: '^[a-z0-9-]{1,48}$',
  [EXPECTS]: '1 to 48 lower-case letters, digits and dashes',
  description: 'Without it, it is made from the name.',
});

export const SORT_BY_AGE = Type.Optional(
  Type.Enum(['created_at', '-created_at'], { description: 'Default -created_at.' }),
);
