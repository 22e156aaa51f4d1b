import Type, { type Static } from 'typebox';
import { SigningKeyIdSchema, TenantIdSchema } from '../ids.ts';
import { CreatedAt, timestamp } from './record-fields.ts';

export const SigningKeyRecord = Type.Object(
  {
    id: SigningKeyIdSchema,
    tenant_id: TenantIdSchema,
    algorithm: Type.Literal('EdDSA', { description: 'With Ed25519.' }),
    public_key: Type.String({
      description: 'The public key, base64url.',
      examples: ['11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'],
    }),
    is_active: Type.Boolean({ description: 'Whether it is in the published key set.' }),
    state: Type.Enum(['next', 'current', 'previous', 'retired'], {
      description:
        'next: published, will sign later; current: signs; previous: published until its last token has expired; retired: no longer published.',
    }),
    created_at: CreatedAt,
    signs_from: timestamp('When it begins to sign.'),
  },
  { $id: 'SigningKey', description: 'A key that signs tokens. The private key is never shown.' },
);
export type SigningKeyRecord = Static<typeof SigningKeyRecord>;
