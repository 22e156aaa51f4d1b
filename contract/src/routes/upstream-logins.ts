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
  description: 'Address at the provider that the browser goes to.',
  examples: ['https://accounts.google.com/o/oauth2/v2/auth?response_type=code&client_id=keywright'],
});
const ReturnUrl = Type.String({
  minLength: 1,
  maxLength: 512,
  description: 'One of the `return_urls` of the tenant, exactly as written there.',
  examples: ['https://app.example.com/login'],
});
export const UpstreamRequest = {
  provider: Type.String({
    maxLength: 64,
    description: 'Id of the provider.',
    examples: ['idp_01m81e4vr3f7k2m9x5q0t6w8za'],
  }),
  return_url: ReturnUrl,
  authorize_url: AuthorizeUrl,
};
export const Handoff = secret({
  minLength: 1,
  maxLength: 128,
  description: 'The parameter `handoff` of the address that the browser came back to.',
  examples: ['hnd_Zm9yIGV4YW1wbGUsIG5vdCBhIGhhbmRvZmYgb2Y'],
});

/** The error that is sent instead of a handoff. */
export const ReturnError = Type.Enum(['access_denied', 'provider_refused'], {
  description:
    'Why there is no handoff: the user declined, or the response of the provider was rejected.',
  examples: ['access_denied'],
});

export const startUpstream = route({
  id: 'flows.oauth',
  method: 'POST',
  path: `${FLOW}/oauth`,
  access: 'tenant',
  summary: 'Start a login at an identity provider',
  description:
    'The browser goes to `authorize_url`, and comes back to `return_url` within ten minutes, with `handoff`, or with `error`: `access_denied` if the user declined, otherwise `provider_refused`. The next request replaces it; a flow can have 20.',
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
      { $id: 'UpstreamLogin', description: 'A login that was started at an identity provider.' },
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
    'The handoff is accepted once, for 60 seconds, and only in the flow that started the login. Users are found by the provider and their subject there, never by an email address. An unknown identity registers a user in a flow with `register`; if it has the verified address of a user, the flow becomes one of the purpose `linking`, and needs proof of that account. A flow that started with an identifier accepts only an identity of its user.',
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
  error: text(256, 'Why there is no code.', 'access_denied'),
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
    'For browsers. Each provider has its own address. The browser is redirected to the `return_url` of the login.',
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
  description: 'The browser is redirected to the same address by GET.',
  params: callbackParams,
  body: CallbackParameters,
  ok: { kind: 'redirect', status: 303 },
  errors: [],
});
