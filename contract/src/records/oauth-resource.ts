import Type, { type Static } from 'typebox';
import { EXPECTS } from '../expectation.ts';
import {
  AgentIdSchema,
  OAuthClientIdSchema,
  OAuthResourceIdSchema,
  TenantIdSchema,
} from '../ids.ts';
import { SCOPE_NAME, ScopeSchema } from '../scope-schema.ts';
import { LINE_OF_TEXT } from '../shape.ts';
import { DetailsTypes } from './authorization-details.ts';
import { CreatedAt } from './record-fields.ts';
import { KEY_ALGORITHMS } from './signing-key.ts';

export const ResourceUri = Type.String({
  maxLength: 512,
  pattern: '^[a-z][a-z0-9+.-]{0,31}:[\\x21\\x22\\x24-\\x7e]+$',
  [EXPECTS]: 'an absolute URI of printable ASCII without a fragment',
  description:
    'Identifier that requests name as `resource`, and the `aud` of access tokens for the resource. Compared character by character.',
  examples: ['https://files.example.com/mcp'],
});

const ResourceScope = Type.Object(
  {
    name: Type.String({
      ...SCOPE_NAME,
      description:
        'A permission `<action>:<resource>`, which the user must hold, or a name that the resource defines. With an action other than `read`, `write`, `delete` and `*`, the permission that the user must hold is `requires`.',
      examples: ['files:share'],
    }),
    description: Type.String({
      minLength: 1,
      maxLength: 200,
      ...LINE_OF_TEXT,
      description: 'Description of what the scope allows, shown on the consent page.',
      examples: ['Share your files with others'],
    }),
    requires: Type.Optional(
      Type.Union([ScopeSchema, Type.Null()], {
        description:
          'Permission that a user must hold to grant the scope to an application, and that gives the scope to an agent; null: the consent of the user is enough, and an agent needs the scope itself. Default: the name if it has the form `<action>:<resource>`, otherwise null. Always null with the actions `read`, `write`, `delete` and `*`.',
      }),
    ),
  },
  { additionalProperties: false, description: 'A scope of a resource.' },
);

export const ResourceScopes = Type.Array(ResourceScope, {
  maxItems: 64,
  description: 'The scopes that access tokens for the resource may contain.',
});

export const ResourceTokenTtl = Type.Union(
  [Type.Integer({ minimum: 60, maximum: 86_400 }), Type.Null()],
  {
    description:
      'Maximum lifetime of access tokens for the resource, in seconds; null: only the tenant’s `session_timeout` applies.',
    examples: [600],
  },
);

export const ResourceAlgorithm = Type.Enum([...KEY_ALGORITHMS], {
  description:
    'Algorithm that signs access tokens for the resource: EdDSA, unless its verifiers do not support it.',
  examples: ['EdDSA'],
});

export const ResourceTokenTyp = Type.Enum(['at+jwt', 'JWT'], {
  description:
    'Header `typ` of its access tokens: `at+jwt` (RFC 9068), or `JWT` for verifiers that reject `at+jwt`. ID tokens also have `JWT`, but no `token_type`, which is `access` in access tokens.',
  examples: ['at+jwt'],
});

export const DpopRequired = Type.Boolean({
  description:
    'Whether access tokens for the resource are issued only with a DPoP proof, bound to the key of the proof (RFC 9449).',
  examples: [false],
});

export const ServedBy = Type.Array(Type.Union([AgentIdSchema, OAuthClientIdSchema]), {
  maxItems: 20,
  uniqueItems: true,
  description: 'Agents and clients that may introspect access tokens for the resource.',
});

export const OAuthResourceRecord = Type.Object(
  {
    id: OAuthResourceIdSchema,
    tenant_id: TenantIdSchema,
    uri: ResourceUri,
    name: Type.String({
      description: 'Display name, shown to users who are asked for their consent.',
      examples: ['Acme Files'],
    }),
    scopes: ResourceScopes,
    token_ttl: ResourceTokenTtl,
    access_token_signing_alg: ResourceAlgorithm,
    access_token_typ: ResourceTokenTyp,
    dpop_required: DpopRequired,
    served_by: ServedBy,
    authorization_details_types: DetailsTypes,
    created_at: CreatedAt,
  },
  {
    $id: 'OAuthResource',
    description: 'A service that accepts access tokens of the tenant made for it (RFC 8707).',
  },
);
export type OAuthResourceRecord = Static<typeof OAuthResourceRecord>;
