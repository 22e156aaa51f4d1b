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
  description: 'Code that the device shows and the user types.',
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
    'Starts a login on a device (RFC 8628). The application shows `user_code` and `verification_uri`, and polls the token endpoint every `interval` seconds until the user has typed the code into a browser on another device and approved or denied the login.',
  body: Type.Object(
    {
      scope: Type.Optional(
        Type.String({
          maxLength: 8192,
          description:
            'Scopes, separated by spaces. Default: all scopes that the application can request.',
          examples: ['openid offline_access'],
        }),
      ),
      resource: targets(
        'DeviceResource',
        'Resource that access tokens are requested for (RFC 8707).',
      ),
      authorization_details: Type.Optional(
        Type.String({
          maxLength: 8192,
          description: 'Rejected. Device logins do not support authorization details (RFC 9396).',
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
          description: 'Code that the application uses to request its tokens.',
          examples: ['GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS-s'],
        }),
        user_code: UserCode,
        verification_uri: Type.String({
          description: 'URL of the page where the user types the code.',
          examples: ['https://id.example.com/t/org_acme/oauth/device'],
        }),
        verification_uri_complete: secret({
          description:
            'The same URL with the code included, for a QR code. Opening it does not approve the login.',
          examples: ['https://id.example.com/t/org_acme/oauth/device?user_code=WDJB-MJHT'],
        }),
        expires_in: Type.Integer({
          description: 'Seconds until both codes expire.',
          examples: [600],
        }),
        interval: Type.Integer({
          description: 'Minimum number of seconds between two token requests.',
          examples: [5],
        }),
      },
      {
        $id: 'DeviceAuthorization',
        description: 'A login started on a device (RFC 8628 §3.2).',
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
  summary: 'Start a login on a device without a browser, at the issuer URL',
});

export const DEVICE_AUTHORIZATION_ROUTES = [authorizeDevice, authorizeDeviceByIssuer] as const;

const TypedCode = secret({
  maxLength: 32,
  description: 'Code that the device shows. Case and separators are ignored.',
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
  summary: 'Show the page for entering a device code, on the tenant host',
  description:
    'For browsers. With `user_code`, the field is prefilled; the user still compares the code with the device and confirms. Opening the page changes nothing.',
  query: closed({ user_code: Type.Optional(TypedCode), locale: Type.Optional(TextLocale) }),
  ok: { kind: 'html', status: 200, policy: PAGE },
  errors: ['OAUTH_OFF', 'ISSUER_ELSEWHERE'],
});

export const showDeviceByIssuer = atIssuer(showDevice, {
  id: 'oauth.device_by_issuer',
  path: `${ISSUER_PATH}${DEVICE}`,
  summary: 'Show the page for entering a device code',
});

export const enterDevice = route({
  id: 'oauth.enter_device',
  method: 'POST',
  path: DEVICE,
  access: 'tenant',
  errorForm: 'page',
  form: 'page',
  cookies: ['session', 'flow', 'locale'],
  summary: 'Submit a device code, on the tenant host',
  description:
    'Handles the form of the page. The user signs in and decides on the next page. An IP address can try ten wrong codes per hour. After a thousand wrong codes in the tenant, new codes are longer.',
  body: closed({
    user_code: TypedCode,
    action: Type.Enum(['device'], { description: 'Name of the button.', examples: ['device'] }),
  }),
  ok: { kind: 'redirect', status: 303, policy: PAGE },
  errors: ['CODE_WRONG', 'TOO_MANY_ATTEMPTS', 'OAUTH_OFF', 'ISSUER_ELSEWHERE'],
});

export const enterDeviceByIssuer = atIssuer(enterDevice, {
  id: 'oauth.enter_device_by_issuer',
  path: `${ISSUER_PATH}${DEVICE}`,
  summary: 'Submit a device code',
});

export const DEVICE_ROUTES = [
  ...DEVICE_AUTHORIZATION_ROUTES,
  showDevice,
  showDeviceByIssuer,
  enterDevice,
  enterDeviceByIssuer,
];
