import Type, { type Static } from 'typebox';
import { SigningKeyIdSchema, TenantIdSchema } from '../ids.ts';

export const SigningKeyRecord = Type.Object(
  {
    id: SigningKeyIdSchema,
    tenant_id: TenantIdSchema,
    algorithm: Type.Literal('EdDSA'),
    public_key: Type.String({ description: 'The public key, base64url.' }),
    is_active: Type.Boolean({ description: 'Published in the key set.' }),
    state: Type.Enum(['next', 'current', 'previous', 'retired'], {
      description:
        'next: published, signs later; current: signs; previous: published until its last token has expired; retired: no longer published.',
    }),
    created_at: Type.String({ format: 'date-time' }),
    signs_from: Type.String({ format: 'date-time' }),
  },
  { $id: 'SigningKey', description: 'A key that signs tokens. Its private half is never shown.' },
);
export type SigningKeyRecord = Static<typeof SigningKeyRecord>;
