import Type, { type Static } from 'typebox';
import { OAuthClientIdSchema, TenantIdSchema, UserIdSchema } from '../ids.ts';

/** The source of the value of a custom claim. */
const PLACES = ['constant', 'metadata', 'user_metadata'] as const;

const Pointer = Type.String({
  description: 'Where in it: a JSON pointer (RFC 6901).',
  examples: ['/plan/name'],
});

const PreviewedClaim = Type.Object(
  {
    name: Type.String({ description: 'Name of the claim.', examples: ['plan'] }),
    value: Type.Optional(
      Type.Unknown({
        description:
          'What it says. Absent for the subject that a client alone knows a user by (`subject_type`: `pairwise`).',
        examples: ['team'],
      }),
    ),
    origin: Type.Enum(['service', 'login', 'identifier', ...PLACES], {
      description:
        '`service`: from the tenant, the client and the roles; `login`: another one for each login or token, of which this is an example; `identifier`: an address of the user; `metadata`: what administrators wrote about them; `user_metadata`: what they wrote themselves; `constant`: from the settings.',
      examples: ['metadata'],
    }),
  },
  { $id: 'PreviewedClaim', description: 'A claim of a token that nobody has.' },
);
export type PreviewedClaim = Static<typeof PreviewedClaim>;

const PreviewedMapping = Type.Object(
  {
    name: Type.String({ description: 'Name of the claim.', examples: ['plan'] }),
    source: Type.Enum([...PLACES], { description: 'Where its value is.', examples: ['metadata'] }),
    pointer: Type.Optional(Pointer),
    outcome: Type.Enum(['added', 'no_value', 'refused'], {
      description:
        '`added`: it is in the access token; `no_value`: the metadata of this user has none; `refused`: it cannot be saved.',
      examples: ['added'],
    }),
    reason: Type.Optional(
      Type.String({
        description: 'Why it is refused.',
        examples: ['is reserved: the service or a standard sets it'],
      }),
    ),
  },
  { $id: 'PreviewedMapping', description: 'What becomes of a custom claim.' },
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
        description: 'Those of an ID token: of a client with the scope `openid`.',
      }),
    ),
    custom_claims: Type.Array(PreviewedMapping, {
      description: 'What became of each custom claim, in the order of their names.',
    }),
  },
  { $id: 'TokenPreview', description: 'What the tokens of a user would say. None is made.' },
);
export type TokenPreview = Static<typeof TokenPreview>;
