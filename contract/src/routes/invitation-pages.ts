import Type from 'typebox';
import { atIssuer, ISSUER_PATH } from '../issuer-routes.ts';
import { TextLocale } from '../locale.ts';
import { InvitationToken } from '../records/login-flow.ts';
import { NAME_LENGTH } from '../records/profile.ts';
import { route } from '../route.ts';
import { closed } from '../shape.ts';

const INVITATION = '/oauth/invitation';

const PAGE = { styles: true, images: true, fonts: true, forms: true } as const;

export const showInvitation = route({
  id: 'oauth.invitation',
  method: 'GET',
  path: INVITATION,
  access: 'tenant',
  errorForm: 'page',
  form: 'page',
  cookies: ['flow', 'locale'],
  summary: 'Show the page of an invitation link, on the tenant host',
  description:
    'For browsers, if the tenant has no `magic_link_url`. The page shows who invites whom, or why the invitation can no longer be accepted. Opening it changes nothing, because software scans the links in emails.',
  query: closed({ token: InvitationToken, locale: Type.Optional(TextLocale) }),
  ok: { kind: 'html', status: 200, policy: PAGE },
  errors: ['FLOW_ENDED', 'ISSUER_ELSEWHERE'],
});

export const showInvitationByIssuer = atIssuer(showInvitation, {
  id: 'oauth.invitation_by_issuer',
  path: `${ISSUER_PATH}${INVITATION}`,
  summary: 'Show the page of an invitation link',
});

export const openInvitation = route({
  id: 'oauth.open_invitation',
  method: 'POST',
  path: INVITATION,
  access: 'tenant',
  errorForm: 'page',
  form: 'page',
  cookies: ['session', 'flow', 'locale', 'device'],
  summary: 'Start accepting an invitation on a page, on the tenant host',
  description:
    'Handles the form of the page. New users register on the next page, and existing users sign in. Either accepts the invitation.',
  body: closed({
    token: InvitationToken,
    name: Type.Optional(
      Type.String({
        maxLength: NAME_LENGTH,
        description: 'Name of a new user.',
        examples: ['Ada Lovelace'],
      }),
    ),
    action: Type.Enum(['accept'], { description: 'Name of the button.', examples: ['accept'] }),
  }),
  ok: { kind: 'redirect', status: 303, policy: PAGE },
  errors: ['VALIDATION_FAILED', 'FLOW_ENDED', 'ISSUER_ELSEWHERE'],
});

export const openInvitationByIssuer = atIssuer(openInvitation, {
  id: 'oauth.open_invitation_by_issuer',
  path: `${ISSUER_PATH}${INVITATION}`,
  summary: 'Start accepting an invitation on a page',
});

export const INVITATION_PAGE_ROUTES = [
  showInvitation,
  showInvitationByIssuer,
  openInvitation,
  openInvitationByIssuer,
];
