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
    'Returns the claims of the tokens that the user would get by signing in with a password, optionally with unsaved settings. Nothing is signed, and no session is opened. Also requires `read:tenant` and `read:roles`, and `read:clients` for the tokens of a client.',
  body: closed({
    user_id: UserIdSchema,
    client_id: Type.Optional(OAuthClientIdSchema),
    custom_claims: Type.Optional(
      customClaims({ description: 'Value to use instead of the setting of this name.' }),
    ),
  }),
  ok: { status: 200, body: TokenPreview },
  errors: ['VALIDATION_FAILED', 'SCOPE_REQUIRED', 'NOT_FOUND'],
});
