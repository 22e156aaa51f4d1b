import Type, { type Static } from 'typebox';
import { OAuthClientIdSchema, TenantIdSchema, UserIdSchema } from '../ids.ts';

/** The source of the value of a custom claim. */
const PLACES = ['constant', 'metadata', 'user_metadata'] as const;

const Pointer = Type.String({
  description: 'Location in the metadata, as a JSON pointer (RFC 6901).',
  examples: ['/plan/name'],
});

const PreviewedClaim = Type.Object(
  {
    name: Type.String({ description: 'Name of the claim.', examples: ['plan'] }),
    value: Type.Optional(
      Type.Unknown({
        description:
          'Value of the claim. Absent for the subject of a client with pairwise subjects (`subject_type`).',
        examples: ['team'],
      }),
    ),
    origin: Type.Enum(['service', 'login', 'user', 'identifier', ...PLACES], {
      description:
        'Source of the value. `service`: the tenant, the client and the roles. `login`: a value that differs for each login or token; an example is shown. `user`: the name or picture of the user. `identifier`: an email address or phone number of the user. `metadata`: written by administrators. `user_metadata`: written by the user. `constant`: the settings.',
      examples: ['metadata'],
    }),
  },
  { $id: 'PreviewedClaim', description: 'A claim of a previewed token.' },
);
export type PreviewedClaim = Static<typeof PreviewedClaim>;

const PreviewedMapping = Type.Object(
  {
    name: Type.String({ description: 'Name of the claim.', examples: ['plan'] }),
    source: Type.Enum([...PLACES], {
      description: 'Location of the value.',
      examples: ['metadata'],
    }),
    pointer: Type.Optional(Pointer),
    outcome: Type.Enum(['added', 'no_value', 'refused'], {
      description:
        '`added`: the claim is in the access token. `no_value`: the user’s metadata has no value for it. `refused`: the claim cannot be saved.',
      examples: ['added'],
    }),
    reason: Type.Optional(
      Type.String({
        description: 'Why the claim is rejected.',
        examples: ['is reserved: the service or a standard sets it'],
      }),
    ),
  },
  { $id: 'PreviewedMapping', description: 'The result for a custom claim.' },
);
export type PreviewedMapping = Static<typeof PreviewedMapping>;

export const TokenPreview = Type.Object(
  {
    user_id: UserIdSchema,
    tenant_id: TenantIdSchema,
    client_id: Type.Optional(OAuthClientIdSchema),
    access_token: Type.Array(PreviewedClaim, { description: 'The claims of an access token.' }),
    id_token: Type.Optional(
      Type.Array(PreviewedClaim, {
        description: 'The claims of an ID token. Present for a client with the scope `openid`.',
      }),
    ),
    custom_claims: Type.Array(PreviewedMapping, {
      description: 'The result for each custom claim, sorted by name.',
    }),
  },
  {
    $id: 'TokenPreview',
    description: 'The claims that a user’s tokens would contain. No token is issued.',
  },
);
export type TokenPreview = Static<typeof TokenPreview>;
