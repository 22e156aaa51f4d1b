import Type from 'typebox';
import { IdentityProviderIdSchema, LoginFlowIdSchema, pathId, TenantIdSchema } from '../ids.ts';
import { ISSUER_PATH } from '../issuer-routes.ts';
import { FlowAnswer, FlowToken, LoginFlow } from '../records/login-flow.ts';
import { PresentedDeviceToken, secret } from '../records/tokens.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';

const FLOW = `${API_BASE}/auth/flows/:flow_id` as const;
const params = Type.Object({ flow_id: pathId(LoginFlowIdSchema) });

const AuthorizeUrl = Type.String({
  description: 'URL at the provider to send the browser to.',
  examples: ['https://accounts.google.com/o/oauth2/v2/auth?response_type=code&client_id=keywright'],
});
const ReturnUrl = Type.String({
  minLength: 1,
  maxLength: 512,
  description: 'One of the tenant’s `return_urls`, exactly as configured.',
  examples: ['https://app.example.com/login'],
});
export const UpstreamRequest = {
  provider: Type.String({
    maxLength: 64,
    description: 'ID of the provider.',
    examples: ['idp_01m81e4vr3f7k2m9x5q0t6w8za'],
  }),
  return_url: ReturnUrl,
  authorize_url: AuthorizeUrl,
};
export const Handoff = secret({
  minLength: 1,
  maxLength: 128,
  description: 'The parameter `handoff` of the URL that the browser returned to.',
  examples: ['hnd_Zm9yIGV4YW1wbGUsIG5vdCBhIGhhbmRvZmYgb2Y'],
});

/** The error that is sent instead of a handoff. */
export const ReturnError = Type.Enum(['access_denied', 'provider_refused'], {
  description:
    'Why the handoff is missing: the user declined, or the provider’s response was rejected.',
  examples: ['access_denied'],
});

export const startUpstream = route({
  id: 'flows.oauth',
  method: 'POST',
  path: `${FLOW}/oauth`,
  access: 'tenant',
  summary: 'Start a login at an identity provider',
  description:
    'Send the browser to `authorize_url`. Within ten minutes, it returns to `return_url` with `handoff` or `error`. `error` is `access_denied` if the user declined, otherwise `provider_refused`. A new request replaces this one. A flow can have 20 such requests.',
  params,
  body: closed({
    flow_token: FlowToken,
    provider: UpstreamRequest.provider,
    return_url: ReturnUrl,
  }),
  ok: {
    status: 200,
    body: Type.Object(
      { flow: LoginFlow, authorize_url: AuthorizeUrl },
      { $id: 'UpstreamLogin', description: 'A login started at an identity provider.' },
    ),
  },
  errors: ['STEP_NOT_NEEDED', 'FLOW_ENDED', 'NOT_FOUND', 'RETURN_URL_UNKNOWN', 'PROVIDER_REFUSED'],
});

export const finishUpstream = route({
  id: 'flows.finish_oauth',
  method: 'POST',
  path: `${FLOW}/oauth/finish`,
  access: 'tenant',
  summary: 'Prove a login at an identity provider in a flow',
  description:
    'The handoff is accepted once, within 60 seconds, and only in the flow that started the login. Users are found by the provider and their subject there, never by an email address. In a flow with `register`, an unknown identity registers a user. If the identity has the verified email address of an existing user, the flow’s purpose becomes `linking`, and the flow needs proof of that account. A flow that started with an identifier accepts only an identity of its user.',
  params,
  body: closed({
    flow_token: FlowToken,
    handoff: Handoff,
    device_token: Type.Optional(PresentedDeviceToken),
  }),
  ok: { status: 200, body: FlowAnswer },
  errors: [
    'STEP_NOT_NEEDED',
    'FLOW_ENDED',
    'PROVIDER_REFUSED',
    'INVALID_CREDENTIALS',
    'IDENTIFIER_TAKEN',
    'NOT_FOUND',
    'TOO_MANY_ATTEMPTS',
  ],
});

const CALLBACK = `${ISSUER_PATH}/callback/:provider_id` as const;
const callbackParams = Type.Object({
  tenant_id: pathId(TenantIdSchema),
  provider_id: pathId(IdentityProviderIdSchema),
});
const text = (maxLength: number, description: string, example: string) =>
  Type.Optional(Type.String({ maxLength, description, examples: [example] }));

/** Unknown parameters are ignored (RFC 6749 §4.1.2). */
const CallbackParameters = Type.Object({
  state: text(256, 'The `state` of the login.', 'Zm9yIGV4YW1wbGUsIG5vdCBhIHN0YXRl'),
  code: text(4096, 'The authorization code.', 'SplxlOBeZQQYbYS6WxSbIA'),
  error: text(256, 'Why the code is missing.', 'access_denied'),
  iss: text(512, 'The issuer (RFC 9207).', 'https://accounts.google.com'),
});

export const upstreamCallback = route({
  id: 'providers.callback',
  method: 'GET',
  path: CALLBACK,
  access: 'tenant',
  tenant: 'path',
  errorForm: 'page',
  summary: 'Return from an identity provider',
  description:
    'For browsers. Each provider has its own URL. Redirects the browser to the `return_url` of the login.',
  params: callbackParams,
  query: CallbackParameters,
  ok: { kind: 'redirect', status: 303 },
  errors: ['PROVIDER_REFUSED'],
});

/** The callback as a form, which some providers send. */
export const upstreamCallbackForm = route({
  id: 'providers.callback_form',
  method: 'POST',
  path: CALLBACK,
  access: 'tenant',
  tenant: 'path',
  errorForm: 'page',
  form: 'replayed',
  summary: 'Return from an identity provider with a form',
  description: 'Redirects the browser to the same URL with GET.',
  params: callbackParams,
  body: CallbackParameters,
  ok: { kind: 'redirect', status: 303 },
  errors: [],
});
