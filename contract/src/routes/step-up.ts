import Type from 'typebox';
import { StartedFlow, RequestedAcr } from '../records/login-flow.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';

export const startStepUp = route({
  id: 'me.step_up',
  method: 'POST',
  path: `${API_BASE}/me/step-up`,
  access: 'user',
  summary: 'Start a step-up of the session',
  description:
    'Call this after `STEP_UP_REQUIRED` (RFC 9470) to make the login stronger or more recent. The user proves every factor again, in the steps of a login. The same session then continues with new tokens, and the previous refresh token is rejected.',
  body: closed({ acr: Type.Optional(RequestedAcr) }),
  ok: { status: 201, body: StartedFlow },
  errors: ['TOKEN_INVALID'],
});
