import Type from 'typebox';
import { atIssuer, ISSUER_PATH } from '../issuer-routes.ts';
import { LinkToken } from '../records/login-flow.ts';
import { route } from '../route.ts';
import { closed } from '../shape.ts';
import { PAGE, Sealed } from './authorize.ts';
import { Handoff, ReturnError } from './upstream-logins.ts';

const RETURNED = '/oauth/returned';

export const returnFromProvider = route({
  id: 'oauth.returned',
  method: 'GET',
  path: RETURNED,
  access: 'tenant',
  errorForm: 'page',
  form: 'page',
  cookies: ['session', 'flow', 'locale', 'method', 'device'],
  summary: 'Return from an identity provider to a page, on the tenant host',
  description:
    'For browsers. Continues the login that started on a page of the service. The handoff is accepted once, and only in the browser that started the login.',
  query: closed({
    request: Sealed,
    handoff: Type.Optional(Handoff),
    error: Type.Optional(ReturnError),
  }),
  ok: { kind: 'redirect', status: 303, policy: PAGE },
  errors: [
    'FORM_TOO_OLD',
    'COOKIE_REFUSED',
    'REQUEST_INVALID',
    'OAUTH_OFF',
    'ISSUER_ELSEWHERE',
    'PROVIDER_REFUSED',
    'INVALID_CREDENTIALS',
    'IDENTIFIER_TAKEN',
    'FLOW_ENDED',
    'STEP_NOT_NEEDED',
    'NOT_FOUND',
    'TOO_MANY_ATTEMPTS',
  ],
});

export const returnFromProviderByIssuer = atIssuer(returnFromProvider, {
  id: 'oauth.returned_by_issuer',
  path: `${ISSUER_PATH}${RETURNED}`,
  summary: 'Return from an identity provider to a page',
});

const LINK = '/oauth/link';

export const openLink = route({
  id: 'oauth.link',
  method: 'GET',
  path: LINK,
  access: 'tenant',
  errorForm: 'page',
  form: 'page',
  cookies: ['flow', 'locale'],
  summary: 'Show the page of a message link, on the tenant host',
  description:
    'For browsers. In the browser that requested the message, a button completes the login. In any other browser, the page shows where the message was requested. Opening it changes nothing, because software scans the links in emails.',
  query: closed({ link_token: LinkToken }),
  ok: {
    kind: 'html',
    status: 200,
    policy: { styles: true, images: true, fonts: true, forms: true },
  },
  errors: ['CODE_WRONG', 'ISSUER_ELSEWHERE'],
});

export const openLinkByIssuer = atIssuer(openLink, {
  id: 'oauth.link_by_issuer',
  path: `${ISSUER_PATH}${LINK}`,
  summary: 'Show the page of a message link',
});

export const LOGIN_RETURN_ROUTES = [
  returnFromProvider,
  returnFromProviderByIssuer,
  openLink,
  openLinkByIssuer,
];
