import Type, { type Static } from 'typebox';
import { EXPECTS } from '../expectation.ts';
import { IdentityProviderIdSchema } from '../ids.ts';
import { closed } from '../shape.ts';

/** The metadata value of authorization servers that accept identity assertions. */
export const ID_JAG_PROFILE = 'urn:ietf:params:oauth:grant-profile:id-jag';

/** The maximum lifetime of an assertion, which only needs to get from one server to another. */
export const ASSERTION_SECONDS = 300;

const Issuer = Type.String({
  maxLength: 512,
  pattern: '^https?://[\\x21-\\x7e]+$',
  [EXPECTS]: 'an http or https address',
  description: 'Issuer of the other authorization server, compared character by character.',
  examples: ['https://login.chat.example'],
});

const AssertionAudience = closed(
  {
    issuer: Issuer,
    client_id: Type.String({
      minLength: 1,
      maxLength: 512,
      pattern: '^[\\x21-\\x7e]+$',
      [EXPECTS]: 'printable ASCII without spaces',
      description: 'Id of the client there.',
      examples: ['f53f191f9311af35'],
    }),
    resources: Type.Array(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description: 'URI of a resource there (RFC 8707).',
        examples: ['https://api.chat.example/'],
      }),
      {
        maxItems: 20,
        uniqueItems: true,
        description: 'Resources that assertions may name; empty: none.',
      },
    ),
    scopes: Type.Array(
      Type.String({
        pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,128}$',
        [EXPECTS]: 'a scope of at most 128 characters, without spaces, quotes and backslashes',
        description: 'A scope there.',
        examples: ['chat.read'],
      }),
      { maxItems: 64, uniqueItems: true, description: 'The scopes that may be asserted.' },
    ),
  },
  { description: 'Another authorization server, and what the client may request there.' },
);
export type AssertionAudience = Static<typeof AssertionAudience>;

/** draft-ietf-oauth-identity-assertion-authz-grant. */
export const IdentityAssertions = closed(
  {
    audiences: Type.Array(AssertionAudience, {
      maxItems: 20,
      description:
        'Other authorization servers for which the client gets identity assertions of its users. Empty: none.',
    }),
    providers: Type.Array(IdentityProviderIdSchema, {
      maxItems: 20,
      uniqueItems: true,
      description:
        'Identity providers (`oidc`) whose assertions the client may present for access tokens, without asking the users. Empty: none.',
    }),
  },
  {
    $id: 'IdentityAssertions',
    description:
      'Access that the administrators of an organization grant instead of its users (ID-JAG).',
    examples: [{ audiences: [], providers: [] }],
  },
);
export type IdentityAssertions = Static<typeof IdentityAssertions>;
