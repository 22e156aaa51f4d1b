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
    'URI that requests name as `resource`. It is the `aud` of access tokens for the resource. Compared character by character.',
  examples: ['https://files.example.com/mcp'],
});

const ResourceScope = Type.Object(
  {
    name: Type.String({
      ...SCOPE_NAME,
      description:
        'Name of the scope: a permission `<action>:<resource>` that the user must hold, or a name that the resource defines. If the action is not `read`, `write`, `delete` or `*`, the permission that the user must hold is `requires`.',
      examples: ['files:share'],
    }),
    description: Type.String({
      minLength: 1,
      maxLength: 200,
      ...LINE_OF_TEXT,
      description: 'Explains to users what the scope allows. Shown on the consent page.',
      examples: ['Share your files with others'],
    }),
    requires: Type.Optional(
      Type.Union([ScopeSchema, Type.Null()], {
        description:
          'Permission that a user must hold to grant the scope to an application. An agent that holds this permission can request the scope. `null`: user consent is sufficient, and agents need the scope itself. Default: the name if it has the form `<action>:<resource>`, otherwise `null`. Always `null` for the actions `read`, `write`, `delete` and `*`.',
      }),
    ),
  },
  { additionalProperties: false, description: 'A scope of a resource.' },
);

export const ResourceScopes = Type.Array(ResourceScope, {
  maxItems: 64,
  description: 'Scopes that access tokens for the resource can contain.',
});

export const ResourceTokenTtl = Type.Union(
  [Type.Integer({ minimum: 60, maximum: 86_400 }), Type.Null()],
  {
    description:
      'Maximum lifetime of access tokens for the resource, in seconds; `null` if only the tenant’s `session_timeout` applies.',
    examples: [600],
  },
);

export const ResourceAlgorithm = Type.Enum([...KEY_ALGORITHMS], {
  description:
    'Algorithm that signs access tokens for the resource. Use EdDSA unless the resource’s verifiers do not support it.',
  examples: ['EdDSA'],
});

export const ResourceTokenTyp = Type.Enum(['at+jwt', 'JWT'], {
  description:
    'The `typ` header of its access tokens: `at+jwt` (RFC 9068), or `JWT` for verifiers that reject `at+jwt`. ID tokens also have `JWT`, but they do not have the claim `token_type`, which is `access` in access tokens.',
  examples: ['at+jwt'],
});

export const DpopRequired = Type.Boolean({
  description:
    'Whether access tokens for the resource require a DPoP proof and are bound to its key (RFC 9449).',
  examples: [false],
});

export const ServedBy = Type.Array(Type.Union([AgentIdSchema, OAuthClientIdSchema]), {
  maxItems: 20,
  uniqueItems: true,
  description: 'Agents and clients that are allowed to introspect access tokens for the resource.',
});

export const OAuthResourceRecord = Type.Object(
  {
    id: OAuthResourceIdSchema,
    tenant_id: TenantIdSchema,
    uri: ResourceUri,
    name: Type.String({
      description: 'Display name, shown to users on the consent page.',
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
    description: 'A service that accepts access tokens issued for it by the tenant (RFC 8707).',
  },
);
export type OAuthResourceRecord = Static<typeof OAuthResourceRecord>;
