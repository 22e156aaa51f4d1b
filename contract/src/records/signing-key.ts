import Type, { type Static } from 'typebox';
import { SigningKeyIdSchema, TenantIdSchema } from '../ids.ts';
import { CreatedAt, timestamp, timestampOrNull } from './record-fields.ts';

/**
 * EdDSA signs the service's own tokens. The other algorithms sign what applications verify; their keys are created
 * when an application first requests one.
 */
export const KEY_ALGORITHMS = ['EdDSA', 'RS256', 'ES256'] as const;
export type KeyAlgorithm = (typeof KEY_ALGORITHMS)[number];

export const SigningKeyRecord = Type.Object(
  {
    id: SigningKeyIdSchema,
    tenant_id: TenantIdSchema,
    algorithm: Type.Enum([...KEY_ALGORITHMS], {
      description:
        'EdDSA (Ed25519) signs access and refresh tokens. RS256 and ES256 sign for applications.',
    }),
    public_key: Type.String({
      description:
        'The public key, in base64url: the 32 bytes of an Ed25519 key, or the SubjectPublicKeyInfo (DER) of other keys.',
      examples: ['11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'],
    }),
    is_active: Type.Boolean({ description: 'Whether the key is in the published key set.' }),
    state: Type.Enum(['next', 'current', 'previous', 'retired'], {
      description:
        '`next`: published, will sign later. `current`: signs. `previous`: published until its last token has expired. `retired`: no longer published.',
    }),
    created_at: CreatedAt,
    signs_from: timestamp('When the key starts to sign.'),
    tokens_until: timestampOrNull(
      'Latest expiry of an access or ID token that the key signed: a day after its successor starts to sign, or the time of retirement for a key that was retired earlier. `null` if the key has no successor yet.',
    ),
  },
  { $id: 'SigningKey', description: 'A key that signs tokens. The private key is never shown.' },
);
export type SigningKeyRecord = Static<typeof SigningKeyRecord>;
