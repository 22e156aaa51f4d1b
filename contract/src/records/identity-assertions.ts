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
  [EXPECTS]: 'an http or https URL',
  description: 'Issuer of the other authorization server. Compared character by character.',
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
      description: 'The client’s ID at the other authorization server.',
      examples: ['f53f191f9311af35'],
    }),
    resources: Type.Array(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description: 'URI of a resource at the other authorization server (RFC 8707).',
        examples: ['https://api.chat.example/'],
      }),
      {
        maxItems: 20,
        uniqueItems: true,
        description: 'Resources that assertions can name. Empty for none.',
      },
    ),
    scopes: Type.Array(
      Type.String({
        pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,128}$',
        [EXPECTS]: 'a scope of at most 128 characters, without spaces, quotes and backslashes',
        description: 'A scope at the other authorization server.',
        examples: ['chat.read'],
      }),
      { maxItems: 64, uniqueItems: true, description: 'Scopes that assertions can contain.' },
    ),
  },
  { description: 'Another authorization server, and what the client can request there.' },
);
export type AssertionAudience = Static<typeof AssertionAudience>;

/** draft-ietf-oauth-identity-assertion-authz-grant. */
export const IdentityAssertions = closed(
  {
    audiences: Type.Array(AssertionAudience, {
      maxItems: 20,
      description:
        'Other authorization servers that the client can get identity assertions of its users for. Empty for none.',
    }),
    providers: Type.Array(IdentityProviderIdSchema, {
      maxItems: 20,
      uniqueItems: true,
      description:
        'Identity providers of type `oidc` whose assertions the client can exchange for access tokens without user consent. Empty for none.',
    }),
  },
  {
    $id: 'IdentityAssertions',
    description:
      'Access that an organization’s administrators grant on behalf of its users (ID-JAG).',
    examples: [{ audiences: [], providers: [] }],
  },
);
export type IdentityAssertions = Static<typeof IdentityAssertions>;
