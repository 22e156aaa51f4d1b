import Type, { type Static } from 'typebox';
import { OAuthClientIdSchema, TenantIdSchema, UserIdSchema } from '../ids.ts';

/** The source of the value of a custom claim. */
const PLACES = ['constant', 'metadata', 'user_metadata'] as const;

const Pointer = Type.String({
  description: 'Location in the metadata: a JSON pointer (RFC 6901).',
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
    origin: Type.Enum(['service', 'login', 'identifier', ...PLACES], {
      description:
        '`service`: from the tenant, the client and the roles; `login`: a different value for each login or token, of which this is an example; `identifier`: an address of the user; `metadata`: written by administrators; `user_metadata`: written by the user; `constant`: from the settings.',
      examples: ['metadata'],
    }),
  },
  { $id: 'PreviewedClaim', description: 'A claim of a token that is not issued.' },
);
export type PreviewedClaim = Static<typeof PreviewedClaim>;

const PreviewedMapping = Type.Object(
  {
    name: Type.String({ description: 'Name of the claim.', examples: ['plan'] }),
    source: Type.Enum([...PLACES], {
      description: 'Location of its value.',
      examples: ['metadata'],
    }),
    pointer: Type.Optional(Pointer),
    outcome: Type.Enum(['added', 'no_value', 'refused'], {
      description:
        '`added`: it is in the access token; `no_value`: the metadata of this user has none; `refused`: it cannot be saved.',
      examples: ['added'],
    }),
    reason: Type.Optional(
      Type.String({
        description: 'Why it is rejected.',
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
        description: 'The claims of an ID token: for a client with the scope `openid`.',
      }),
    ),
    custom_claims: Type.Array(PreviewedMapping, {
      description: 'The result for each custom claim, in the order of their names.',
    }),
  },
  {
    $id: 'TokenPreview',
    description: 'The claims that the tokens of a user would have. No token is issued.',
  },
);
export type TokenPreview = Static<typeof TokenPreview>;
