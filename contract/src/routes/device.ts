import Type from 'typebox';
import { exampleOf } from '../example.ts';
import { OAuthClientIdSchema } from '../ids.ts';
import { atIssuer, ISSUER_PATH } from '../issuer-routes.ts';
import { TextLocale } from '../locale.ts';
import { secret } from '../records/tokens.ts';
import { route } from '../route.ts';
import { closed } from '../shape.ts';
import { PAGE } from './authorize.ts';
import { CLIENT_AUTHENTICATION } from './client-authentication.ts';
import { targets } from './fields.ts';

const DEVICE = '/oauth/device';

const UserCode = secret({
  description: 'What the device shows, and its user types.',
  examples: ['WDJB-MJHT'],
});

export const authorizeDevice = route({
  id: 'oauth.device_authorization',
  method: 'POST',
  path: '/oauth/device_authorization',
  access: 'tenant',
  errorForm: 'oauth',
  form: 'accepted',
  summary: 'Start a login on a device without a browser',
  description:
    'Starts a login on a device (RFC 8628): the application shows `user_code` and `verification_uri`, and polls the token endpoint every `interval` seconds until its user has typed the code into a browser elsewhere, and allowed or denied the login.',
  body: Type.Object(
    {
      scope: Type.Optional(
        Type.String({
          maxLength: 8192,
          description: 'Scopes, joined by spaces. Default: all that the application may request.',
          examples: ['openid offline_access'],
        }),
      ),
      resource: targets('DeviceResource', 'What access tokens are requested for (RFC 8707).'),
      authorization_details: Type.Optional(
        Type.String({
          maxLength: 8192,
          description: 'Rejected: devices do not support authorization details (RFC 9396).',
        }),
      ),
      ...CLIENT_AUTHENTICATION,
    },
    { examples: [{ client_id: exampleOf(OAuthClientIdSchema), scope: 'openid offline_access' }] },
  ),
  ok: {
    status: 200,
    body: Type.Object(
      {
        device_code: secret({
          description: 'The code with which the application requests its tokens.',
          examples: ['GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS-s'],
        }),
        user_code: UserCode,
        verification_uri: Type.String({
          description: 'Address of the page where the user types the code.',
          examples: ['https://id.example.com/t/org_acme/oauth/device'],
        }),
        verification_uri_complete: secret({
          description: 'The same address with the code, for a QR code. Opening it allows nothing.',
          examples: ['https://id.example.com/t/org_acme/oauth/device?user_code=WDJB-MJHT'],
        }),
        expires_in: Type.Integer({
          description: 'Seconds until both codes expire.',
          examples: [600],
        }),
        interval: Type.Integer({
          description: 'Seconds to wait between two requests for tokens.',
          examples: [5],
        }),
      },
      {
        $id: 'DeviceAuthorization',
        description: 'A login that was started on a device (RFC 8628 §3.2).',
      },
    ),
  },
  errors: [
    'VALIDATION_FAILED',
    'CLIENT_INVALID',
    'OAUTH_OFF',
    'CLIENT_UNAUTHORIZED',
    'SCOPE_INVALID',
    'TARGET_INVALID',
    'AUTHORIZATION_DETAILS_INVALID',
    'TOO_MANY_ATTEMPTS',
  ],
});

const authorizeDeviceByIssuer = atIssuer(authorizeDevice, {
  id: 'oauth.device_authorization_by_issuer',
  path: `${ISSUER_PATH}${authorizeDevice.path}`,
  summary: 'Start a login on a device without a browser, at the address of the issuer',
});

export const DEVICE_AUTHORIZATION_ROUTES = [authorizeDevice, authorizeDeviceByIssuer] as const;

const TypedCode = secret({
  maxLength: 32,
  description: 'The code that the device shows; case and separators do not matter.',
  examples: ['WDJB-MJHT'],
});

export const showDevice = route({
  id: 'oauth.device',
  method: 'GET',
  path: DEVICE,
  access: 'tenant',
  errorForm: 'page',
  form: 'page',
  cookies: ['flow', 'locale'],
  summary: 'The page where the code of a device is typed, at the host of the tenant',
  description:
    'For browsers. With `user_code` the field is filled in; the user still compares it with the device, and continues. Opening the page changes nothing.',
  query: closed({ user_code: Type.Optional(TypedCode), locale: Type.Optional(TextLocale) }),
  ok: { kind: 'html', status: 200, policy: PAGE },
  errors: ['OAUTH_OFF', 'ISSUER_ELSEWHERE'],
});

export const showDeviceByIssuer = atIssuer(showDevice, {
  id: 'oauth.device_by_issuer',
  path: `${ISSUER_PATH}${DEVICE}`,
  summary: 'The page where the code of a device is typed',
});

export const enterDevice = route({
  id: 'oauth.enter_device',
  method: 'POST',
  path: DEVICE,
  access: 'tenant',
  errorForm: 'page',
  form: 'page',
  cookies: ['session', 'flow', 'locale'],
  summary: 'The code of a device, as it was typed, at the host of the tenant',
  description:
    'The form of the page. The user logs in on the next one, and decides there. An address may try ten wrong codes an hour. After a thousand in the tenant, new codes are longer.',
  body: closed({
    user_code: TypedCode,
    action: Type.Enum(['device'], { description: 'The name of the button.', examples: ['device'] }),
  }),
  ok: { kind: 'redirect', status: 303, policy: PAGE },
  errors: ['CODE_WRONG', 'TOO_MANY_ATTEMPTS', 'OAUTH_OFF', 'ISSUER_ELSEWHERE'],
});

export const enterDeviceByIssuer = atIssuer(enterDevice, {
  id: 'oauth.enter_device_by_issuer',
  path: `${ISSUER_PATH}${DEVICE}`,
  summary: 'The code of a device, as it was typed',
});

export const DEVICE_ROUTES = [
  ...DEVICE_AUTHORIZATION_ROUTES,
  showDevice,
  showDeviceByIssuer,
  enterDevice,
  enterDeviceByIssuer,
];
