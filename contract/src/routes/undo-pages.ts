import Type from 'typebox';
import { atIssuer, ISSUER_PATH } from '../issuer-routes.ts';
import { TextLocale } from '../locale.ts';
import { secret } from '../records/tokens.ts';
import { route } from '../route.ts';
import { closed } from '../shape.ts';
import { UndoToken } from './identifiers.ts';

const UNDO = '/oauth/undo';

const PAGE = { styles: true, images: true, fonts: true, forms: true } as const;
/** The page has a script, because it can request a passkey. */
const SUBMITTED = { ...PAGE, scripts: true } as const;

export const showUndo = route({
  id: 'oauth.undo',
  method: 'GET',
  path: UNDO,
  access: 'tenant',
  errorForm: 'page',
  form: 'page',
  cookies: ['flow', 'locale'],
  summary: 'Show the page that undoes a change of identifiers, on the tenant host',
  description:
    'For browsers, if the tenant has no `magic_link_url`: the link in a message opens this page. The page requires proof of a credential that the account had before the change. Opening it changes nothing, because software scans the links in emails.',
  query: closed({ token: UndoToken, locale: Type.Optional(TextLocale) }),
  ok: { kind: 'html', status: 200, policy: PAGE },
  errors: ['FLOW_ENDED', 'TOO_MANY_ATTEMPTS', 'ISSUER_ELSEWHERE'],
});

export const showUndoByIssuer = atIssuer(showUndo, {
  id: 'oauth.undo_by_issuer',
  path: `${ISSUER_PATH}${UNDO}`,
  summary: 'Show the page that undoes a change of identifiers',
});

export const undoOnPage = route({
  id: 'oauth.undo_change',
  method: 'POST',
  path: UNDO,
  access: 'tenant',
  errorForm: 'page',
  form: 'page',
  cookies: ['flow', 'locale'],
  summary: 'Undo a change of identifiers on a page, on the tenant host',
  description:
    'Handles the form of the page, with the same effect as `POST /auth/identifiers/undo`.',
  body: closed({
    token: UndoToken,
    secret: Type.Optional(
      secret({
        maxLength: 1024,
        description: 'A password.',
        examples: ['correct horse battery staple'],
      }),
    ),
    code: Type.Optional(secret({ maxLength: 64, description: 'A code.', examples: ['492039'] })),
    credential: Type.Optional(
      secret({
        maxLength: 12_000,
        description: 'The result of the passkey, as JSON.',
        examples: ['{}'],
      }),
    ),
    action: Type.Enum(['undo', 'passkey', 'prove_passkey'], {
      description: 'Name of the button. `passkey` shows the page that requests a passkey.',
      examples: ['undo'],
    }),
  }),
  ok: { kind: 'html', status: 200, policy: SUBMITTED },
  errors: ['FLOW_ENDED', 'PROOF_REQUIRED', 'TOO_MANY_ATTEMPTS', 'TOO_BUSY', 'ISSUER_ELSEWHERE'],
});

export const undoOnPageByIssuer = atIssuer(undoOnPage, {
  id: 'oauth.undo_change_by_issuer',
  path: `${ISSUER_PATH}${UNDO}`,
  summary: 'Undo a change of identifiers on a page',
});

export const UNDO_PAGE_ROUTES = [
  showUndo,
  showUndoByIssuer,
  undoOnPage,
  undoOnPageByIssuer,
] as const;
