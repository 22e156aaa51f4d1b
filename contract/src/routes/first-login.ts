import Type from 'typebox';
import { EXPECTS } from '../expectation.ts';
import { TextLocale } from '../locale.ts';
import { secret } from '../records/tokens.ts';
import { route } from '../route.ts';
import { closed } from '../shape.ts';

const FIRST_LOGIN = '/console/first-login';

const PAGE = { styles: true, images: true, fonts: true, forms: true } as const;

const FirstLoginToken = secret({
  minLength: 1,
  maxLength: 64,
  pattern: '^[\\w-]+$',
  [EXPECTS]: 'the token from the printed link',
  description: 'The token from the printed link.',
  examples: ['q3o0ZtH2c1Yw0bVx8dJm5nKfR7sUeGaLpXiTzQy4WkE'],
});

export const showFirstLogin = route({
  id: 'console.first_login',
  method: 'GET',
  path: FIRST_LOGIN,
  access: 'tenant',
  errorForm: 'page',
  form: 'page',
  cookies: ['locale'],
  summary: 'Show the page of the first-start link',
  description:
    'For browsers. The first start prints the link next to the administrator’s new secret. The link works once, for an hour, and only while that process runs. Opening it changes nothing.',
  query: closed({ token: FirstLoginToken, locale: Type.Optional(TextLocale) }),
  ok: { kind: 'html', status: 200, policy: PAGE },
  errors: ['FLOW_ENDED', 'ISSUER_ELSEWHERE'],
});

export const logInFirst = route({
  id: 'console.log_in_first',
  method: 'POST',
  path: FIRST_LOGIN,
  access: 'tenant',
  errorForm: 'page',
  form: 'page',
  cookies: ['session', 'locale', 'device'],
  summary: 'Sign in as the first administrator',
  description:
    'Handles the form of the page. It signs in with the secret that was printed with the link, with the same result as entering it. If the secret was changed or a second factor was added, the browser continues at the usual login.',
  body: closed({
    token: FirstLoginToken,
    action: Type.Enum(['log_in'], { description: 'Name of the button.', examples: ['log_in'] }),
  }),
  ok: { kind: 'redirect', status: 303, policy: PAGE },
  errors: ['FLOW_ENDED', 'ISSUER_ELSEWHERE'],
});

export const FIRST_LOGIN_ROUTES = [showFirstLogin, logInFirst] as const;
