import Type from 'typebox';
import { atIssuer, ISSUER_PATH } from '../issuer-routes.ts';
import { route } from '../route.ts';
import { closed } from '../shape.ts';

const STYLESHEET = '/assets/look.css';

export const getStylesheet = route({
  id: 'pages.stylesheet',
  method: 'GET',
  path: STYLESHEET,
  access: 'tenant',
  summary: 'Get the styles of the service’s pages',
  description: 'For the service’s pages: the style rules that all of them share, compressed.',
  query: closed({
    v: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Digest of the rules. The response for the current digest never changes.',
        examples: ['f4OxZX_x_FO5LcGBSKHWXf'],
      }),
    ),
  }),
  ok: {
    kind: 'asset',
    status: 200,
    contentType: 'text/css',
    body: Type.String({ description: 'CSS.', examples: ['body{margin:0}'] }),
  },
  errors: [],
});

const getIssuerStylesheet = atIssuer(getStylesheet, {
  id: 'pages.issuer_stylesheet',
  path: `${ISSUER_PATH}${STYLESHEET}`,
  summary: 'Get the styles of a tenant’s pages',
});

export const STYLESHEET_ROUTES = [getStylesheet, getIssuerStylesheet] as const;

const FONT = '/assets/fonts/:file';

const getFont = route({
  id: 'pages.font',
  method: 'GET',
  path: FONT,
  access: 'tenant',
  summary: 'Get a font of the service’s pages',
  description:
    'For the service’s pages. The name of a file contains a part of its digest, so the response never changes.',
  params: Type.Object({
    file: Type.String({
      maxLength: 64,
      description: 'Name of the file.',
      examples: ['geist-19f9c92546.woff2'],
    }),
  }),
  ok: {
    kind: 'image',
    status: 200,
    contentType: 'font/woff2',
    body: Type.String({ description: 'A font (WOFF2).', examples: ['wOF2'] }),
  },
  errors: ['NOT_FOUND'],
});

const getIssuerFont = atIssuer(getFont, {
  id: 'pages.issuer_font',
  path: `${ISSUER_PATH}${FONT}`,
  summary: 'Get a font of a tenant’s pages',
});

export const FONT_ROUTES = [getFont, getIssuerFont] as const;
export const ASSET_ROUTES = [...STYLESHEET_ROUTES, ...FONT_ROUTES] as const;
