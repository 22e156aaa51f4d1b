import Type from 'typebox';
import { EXPECTS } from '../expectation.ts';
import { TextLocale } from '../locale.ts';
import { secret } from '../records/tokens.ts';
import { route } from '../route.ts';
import { closed } from '../shape.ts';

const FIRST_LOGIN = '/console/first-login';

const PAGE = { styles: true, images: true, forms: true } as const;

const FirstLoginToken = secret({
  minLength: 1,
  maxLength: 64,
  pattern: '^[\\w-]+$',
  [EXPECTS]: 'the token of the printed link',
  description: 'The token of the printed link.',
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
  summary: 'The page that the link of a first start opens',
  description:
    'For browsers. The first start prints the link where it also prints a new secret of the administrator. The link works once, for an hour, and as long as that process runs. Opening it changes nothing.',
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
  summary: 'Log in as the first administrator',
  description:
    'The form of the page. It logs in with the secret that was printed with the link, with the same result: if the secret was changed, or a second factor was added, the browser goes to the usual login.',
  body: closed({
    token: FirstLoginToken,
    action: Type.Enum(['log_in'], { description: 'The name of the button.', examples: ['log_in'] }),
  }),
  ok: { kind: 'redirect', status: 303, policy: PAGE },
  errors: ['FLOW_ENDED', 'ISSUER_ELSEWHERE'],
});

export const FIRST_LOGIN_ROUTES = [showFirstLogin, logInFirst] as const;
