import Type from 'typebox';
import { atIssuer, ISSUER_PATH } from '../issuer-routes.ts';
import { TextLocale } from '../locale.ts';
import { InvitationToken } from '../records/login-flow.ts';
import { route } from '../route.ts';
import { closed } from '../shape.ts';

const INVITATION = '/oauth/invitation';

const PAGE = { styles: true, images: true, forms: true } as const;

export const showInvitation = route({
  id: 'oauth.invitation',
  method: 'GET',
  path: INVITATION,
  access: 'tenant',
  errorForm: 'page',
  form: 'page',
  cookies: ['flow', 'locale'],
  summary: 'The page that the link of an invitation opens, at the host of the tenant',
  description:
    'For browsers, where the tenant has no `magic_link_url`. The page says who invites whom, or why the invitation can no longer be accepted. Opening it changes nothing, because mail is read by machines.',
  query: closed({ token: InvitationToken, locale: Type.Optional(TextLocale) }),
  ok: { kind: 'html', status: 200, policy: PAGE },
  errors: ['FLOW_ENDED', 'ISSUER_ELSEWHERE'],
});

export const showInvitationByIssuer = atIssuer(showInvitation, {
  id: 'oauth.invitation_by_issuer',
  path: `${ISSUER_PATH}${INVITATION}`,
  summary: 'The page that the link of an invitation opens',
});

export const openInvitation = route({
  id: 'oauth.open_invitation',
  method: 'POST',
  path: INVITATION,
  access: 'tenant',
  errorForm: 'page',
  form: 'page',
  cookies: ['session', 'flow', 'locale', 'device'],
  summary: 'Start to accept an invitation on a page, at the host of the tenant',
  description:
    'The form of the page. New users register on the next page, existing users log in: this accepts the invitation.',
  body: closed({
    token: InvitationToken,
    action: Type.Enum(['accept'], { description: 'The name of the button.', examples: ['accept'] }),
  }),
  ok: { kind: 'redirect', status: 303, policy: PAGE },
  errors: ['FLOW_ENDED', 'ISSUER_ELSEWHERE'],
});

export const openInvitationByIssuer = atIssuer(openInvitation, {
  id: 'oauth.open_invitation_by_issuer',
  path: `${ISSUER_PATH}${INVITATION}`,
  summary: 'Start to accept an invitation on a page',
});

export const INVITATION_PAGE_ROUTES = [
  showInvitation,
  showInvitationByIssuer,
  openInvitation,
  openInvitationByIssuer,
];
