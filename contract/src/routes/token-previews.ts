import Type from 'typebox';
import { OAuthClientIdSchema, UserIdSchema } from '../ids.ts';
import { customClaims } from '../records/custom-claim.ts';
import { TokenPreview } from '../records/token-preview.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';

export const previewTokens = route({
  id: 'tokens.preview',
  method: 'POST',
  path: `${API_BASE}/tokens/preview`,
  access: { scope: 'read:users', administrator: true },
  summary: 'Preview the tokens of a user',
  description:
    'The claims of the tokens that they would get by a password, with settings that need not be saved. Nothing is signed and no session is opened. Also requires `read:tenant` and `read:roles`, and `read:clients` for those of a client.',
  body: closed({
    user_id: UserIdSchema,
    client_id: Type.Optional(OAuthClientIdSchema),
    custom_claims: Type.Optional(
      customClaims({ description: 'Instead of the setting of this name.' }),
    ),
  }),
  ok: { status: 200, body: TokenPreview },
  errors: ['VALIDATION_FAILED', 'SCOPE_REQUIRED', 'NOT_FOUND'],
});
