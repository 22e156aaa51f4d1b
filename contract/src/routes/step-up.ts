import Type from 'typebox';
import { StartedFlow, RequestedAcr } from '../records/login-flow.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';

export const startStepUp = route({
  id: 'me.step_up',
  method: 'POST',
  path: `${API_BASE}/me/step-up`,
  access: 'user',
  summary: 'Start a stronger or more recent login of the session',
  description:
    'What to call after `STEP_UP_REQUIRED` (RFC 9470). Every factor is proven again, in the steps of a login. Then the same session continues, with new tokens; the previous refresh token is no longer accepted.',
  body: closed({ acr: Type.Optional(RequestedAcr) }),
  ok: { status: 201, body: StartedFlow },
  errors: ['TOKEN_INVALID'],
});
