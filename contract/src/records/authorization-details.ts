import Type, { type Static } from 'typebox';
import { EXPECTS } from '../expectation.ts';
import { closed, LINE_OF_TEXT } from '../shape.ts';

/**
 * The maximum size of `authorization_details` as sent, in UTF-8. Codes, refresh tokens and access tokens each contain
 * them.
 */
export const MAX_DETAILS_BYTES = 2048;

const words = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, ...LINE_OF_TEXT, description, examples: [example] });

const FieldName = Type.String({
  pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$',
  [EXPECTS]: 'a letter, followed by up to 63 letters, digits and _',
  description: 'Name of the field in a request. `type` is reserved.',
  examples: ['amount'],
});

const Label = words(100, 'Label of the field on the consent page.', 'Amount');
const Required = Type.Boolean({
  description: 'Whether a request must contain the field.',
  examples: [true],
});
const Values = Type.Array(words(200, 'A value.', 'EUR'), {
  minItems: 1,
  maxItems: 32,
  uniqueItems: true,
  description: 'The allowed values of a `string` or of `strings`.',
});

const SIMPLE_KINDS = ['string', 'number', 'boolean', 'strings'] as const;

const InnerField = closed(
  {
    name: FieldName,
    label: Label,
    kind: Type.Enum([...SIMPLE_KINDS], {
      description: 'Type of the field. `strings` is a list of at most 16 strings.',
      examples: ['string'],
    }),
    required: Type.Optional(Required),
    values: Type.Optional(Values),
  },
  { description: 'A nested field.' },
);

const DetailsField = closed(
  {
    name: FieldName,
    label: Label,
    kind: Type.Enum([...SIMPLE_KINDS, 'object'], {
      description:
        'Type of the field. A `string` is a single line of at most 200 characters; `strings` is a list of at most 16 strings.',
      examples: ['object'],
    }),
    required: Type.Optional(Required),
    values: Type.Optional(Values),
    fields: Type.Optional(
      Type.Array(InnerField, {
        minItems: 1,
        maxItems: 16,
        description: 'Fields of an `object`.',
      }),
    ),
  },
  { description: 'A field of authorization details.' },
);
export type DetailsField = Static<typeof DetailsField>;

const DetailsTypeName = Type.String({
  pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,128}$',
  [EXPECTS]: 'at most 128 characters, without spaces, quotes and backslashes',
  description: 'The `type` of the authorization details (RFC 9396 §2). Unique within the tenant.',
  examples: ['payment_initiation'],
});

const DetailsType = closed(
  {
    type: DetailsTypeName,
    name: words(100, 'Name of the type, shown to users.', 'Payment'),
    description: words(
      200,
      'Explains to users what the type allows.',
      'Pay once from one of your accounts',
    ),
    fields: Type.Array(DetailsField, {
      maxItems: 32,
      description: 'Fields that a request can contain. Other fields are rejected.',
    }),
  },
  { description: 'A type of authorization details.' },
);
export type DetailsType = Static<typeof DetailsType>;

export const DetailsTypes = Type.Array(DetailsType, {
  maxItems: 16,
  description:
    'Types of authorization details that access tokens for the resource can contain (RFC 9396).',
});

/** The authorization details types of a client (RFC 9396 §10). */
export const ClientDetailsTypes = Type.Array(DetailsTypeName, {
  maxItems: 32,
  uniqueItems: true,
  description: 'Types of authorization details that the client can request.',
});

export const AuthorizationDetails = Type.Array(
  Type.Object(
    { type: Type.String({ description: 'The type.', examples: ['payment_initiation'] }) },
    { additionalProperties: true, description: 'Granted authorization details.' },
  ),
  { description: 'Granted authorization details (RFC 9396).' },
);
export type AuthorizationDetail = Static<typeof AuthorizationDetails>[number];
