import Type from 'typebox';
import { EXPECTS, EXPECTS_NAMES } from '../expectation.ts';
import { closed, LINE_OF_TEXT } from '../shape.ts';

const ClaimLiteral = Type.Union([
  Type.String({ maxLength: 512, ...LINE_OF_TEXT }),
  Type.Number(),
  Type.Boolean(),
]);

/** A JSON pointer (RFC 6901). */
const Pointer = Type.String({
  pattern: '^(/[^/\\p{Cc}\\p{Cs}]{1,128}){1,8}$',
  [EXPECTS]:
    'a path into the metadata with 1 to 8 steps, each a slash and a name, such as /plan/name',
  description: 'Location of the value in the metadata, as a JSON pointer (RFC 6901).',
  examples: ['/plan/name'],
});

const CustomClaim = Type.Union(
  [
    ClaimLiteral,
    Type.Array(ClaimLiteral, { maxItems: 32 }),
    closed({ metadata: Pointer }),
    closed({
      user_metadata: Pointer,
      user_writable: Type.Literal(true, {
        description:
          'Confirms that users can set this claim to any value in tokens issued to them.',
      }),
    }),
  ],
  {
    $id: 'CustomClaim',
    description: 'A constant, or the location of the value in the user’s metadata.',
  },
);

/** Claims by their names. */
export function customClaims(options: { readonly default?: object; readonly description: string }) {
  return Type.Record(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_:/.-]{0,63}$' }), CustomClaim, {
    ...options,
    additionalProperties: false,
    maxProperties: 32,
    [EXPECTS_NAMES]: 'a letter, followed by up to 63 letters, digits and characters of _ : / . -',
  });
}
