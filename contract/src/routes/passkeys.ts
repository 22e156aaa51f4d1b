import Type from 'typebox';
import { LoginFlowIdSchema, pathId } from '../ids.ts';
import { FactorRecord, RecoveryCodes } from '../records/factor.ts';
import { FlowAnswer, FlowToken, LoginFlow } from '../records/login-flow.ts';
import {
  AcceptedPasskeys,
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions,
} from '../records/passkey.ts';
import { PresentedDeviceToken } from '../records/tokens.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { displayName, NOT_MODIFIED } from './fields.ts';

const ME_BASE = `${API_BASE}/me/factors/passkeys` as const;
const FLOW = `${API_BASE}/auth/flows/:flow_id` as const;
const params = Type.Object({ flow_id: pathId(LoginFlowIdSchema) });
const name = Type.Optional({
  ...displayName('Laptop'),
  description:
    'Display name, on a single line. Default: the name of the authenticator if it is well known.',
});

const AddedPasskey = {
  factor: FactorRecord,
  recovery_codes: Type.Union([RecoveryCodes, Type.Null()], {
    description: 'Recovery codes; `null` if the user already has some.',
  }),
  accepted_passkeys: AcceptedPasskeys,
};

export const getRelatedOrigins = route({
  id: 'passkeys.related_origins',
  method: 'GET',
  path: '/.well-known/webauthn',
  access: 'tenant',
  cors: 'any',
  summary: 'List origins that can use the tenant’s passkeys',
  description:
    'If a page on another domain wants to use a passkey, browsers send this request to the domain that the passkeys are bound to (WebAuthn Level 3 §5.11).',
  ok: {
    status: 200,
    body: Type.Object(
      {
        origins: Type.Array(Type.String(), {
          description:
            'The issuer’s origin and `passkey_origins`. Empty if passkeys are not available.',
          examples: [['https://id.example.com', 'https://shop.example.net']],
        }),
      },
      { $id: 'RelatedOrigins', description: 'Related origins of passkeys.' },
    ),
  },
  other: [NOT_MODIFIED],
  errors: [],
});

export const offerPasskey = route({
  id: 'factors.passkey_options',
  method: 'POST',
  path: `${ME_BASE}/options`,
  access: 'user',
  fresh: {},
  summary: 'Get the options for a new passkey',
  description:
    'For `navigator.credentials.create()`. The options can be used once, within ten minutes.',
  ok: {
    status: 200,
    body: Type.Object(
      { options: PasskeyCreationOptions },
      { $id: 'PasskeyCreation', description: 'The options for a new passkey.' },
    ),
  },
  errors: ['TOKEN_INVALID', 'STEP_UP_REQUIRED', 'TOO_MANY_FACTORS', 'METHOD_NOT_READY'],
});

export const addPasskey = route({
  id: 'factors.add_passkey',
  method: 'POST',
  path: ME_BASE,
  access: 'user',
  fresh: {},
  summary: 'Add a passkey',
  description:
    'Every later login of the user requires a second factor, or just a passkey. If this is the user’s first factor, the response also contains recovery codes.',
  body: closed({ credential: PasskeyRegistration, name }),
  ok: {
    status: 201,
    body: Type.Object(AddedPasskey, { $id: 'AddedPasskey', description: 'A new passkey.' }),
  },
  errors: [
    'TOKEN_INVALID',
    'STEP_UP_REQUIRED',
    'TOO_MANY_FACTORS',
    'METHOD_NOT_READY',
    'PASSKEY_REFUSED',
  ],
});

export const startPasskey = route({
  id: 'flows.passkey_options',
  method: 'POST',
  path: `${FLOW}/passkey/options`,
  access: 'tenant',
  summary: 'Get the options for a passkey in a flow',
  description:
    'For `navigator.credentials.get()`. The challenge can be used once, within five minutes, and a new one replaces it. A flow issues at most 20.',
  params,
  body: closed({ flow_token: FlowToken }),
  ok: {
    status: 200,
    body: Type.Object(
      { flow: LoginFlow, options: PasskeyRequestOptions },
      { $id: 'PasskeyRequest', description: 'The options for a passkey.' },
    ),
  },
  errors: ['STEP_NOT_NEEDED', 'FLOW_ENDED'],
});

export const provePasskey = route({
  id: 'flows.passkey',
  method: 'POST',
  path: `${FLOW}/passkey`,
  access: 'tenant',
  summary: 'Prove a passkey in a flow',
  description:
    'A passkey counts as two factors (`acr` is `phr`). As the first proof, it identifies the user: the flow can start without an identifier. If the flow has an identifier, the passkey must belong to that user. The challenge is used up in any case.',
  params,
  body: closed({
    flow_token: FlowToken,
    credential: PasskeyAssertion,
    device_token: Type.Optional(PresentedDeviceToken),
  }),
  ok: {
    status: 200,
    body: Type.Object(
      { ...FlowAnswer.properties, accepted_passkeys: AcceptedPasskeys },
      { $id: 'PasskeyFlowAnswer', description: 'The state of the flow after a passkey.' },
    ),
  },
  errors: ['STEP_NOT_NEEDED', 'FLOW_ENDED', 'PASSKEY_REFUSED', 'NOT_FOUND'],
});

export const offerEnrolledPasskey = route({
  id: 'flows.enroll_passkey_options',
  method: 'POST',
  path: `${FLOW}/enroll/passkey/options`,
  access: 'tenant',
  summary: 'Get the options for a new passkey in a flow',
  description:
    'For a flow that needs `enroll`, like `…/enroll/totp`, or for the first login of a new user with an invitation.',
  params,
  body: closed({ flow_token: FlowToken }),
  ok: {
    status: 200,
    body: Type.Object(
      { flow: LoginFlow, options: PasskeyCreationOptions },
      { $id: 'FlowPasskeyCreation', description: 'The options for a new passkey.' },
    ),
  },
  errors: ['STEP_NOT_NEEDED', 'FLOW_ENDED'],
});

export const enrollPasskey = route({
  id: 'flows.enroll_passkey',
  method: 'POST',
  path: `${FLOW}/enroll/passkey`,
  access: 'tenant',
  summary: 'Add a passkey in a flow',
  description:
    'Adds the passkey without any other proof. The flow is complete, and the response contains the tokens. If this is the user’s first factor, it also contains recovery codes.',
  params,
  body: closed({ flow_token: FlowToken, credential: PasskeyRegistration, name }),
  ok: {
    status: 200,
    body: Type.Object(
      { ...FlowAnswer.properties, ...AddedPasskey },
      { $id: 'EnrolledPasskeyAnswer', description: 'The state of the flow after a new passkey.' },
    ),
  },
  errors: ['STEP_NOT_NEEDED', 'FLOW_ENDED', 'PASSKEY_REFUSED', 'NOT_FOUND'],
});
