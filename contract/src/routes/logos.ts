import Type from 'typebox';
import { atIssuer, ISSUER_PATH } from '../issuer-routes.ts';
import { listOf, listQuery } from '../list.ts';
import { LogoRecord } from '../records/logo.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';

const LOGOS = `${API_BASE}/logos` as const;
const IMAGE = '/brand/:digest';

export const listLogos = route({
  id: 'branding.list_logos',
  method: 'GET',
  path: LOGOS,
  access: { scope: 'read:tenant' },
  summary: 'List the logos of the tenant',
  description: 'Those that `branding` names, and what became of them.',
  query: closed({ ...listQuery }),
  ok: { status: 200, body: listOf(LogoRecord) },
  errors: ['VALIDATION_FAILED'],
});

export const fetchLogos = route({
  id: 'branding.fetch_logos',
  method: 'POST',
  path: `${LOGOS}/fetch`,
  access: { scope: 'write:tenant' },
  summary: 'Fetch the logos of the tenant again',
  description:
    'After a change of an image, or a failure. An image that is stored stays until it was replaced.',
  ok: {
    status: 200,
    body: Type.Object(
      { logos: Type.Array(LogoRecord, { description: 'What became of them.' }) },
      { $id: 'FetchedLogos', description: 'Logos that were fetched again.' },
    ),
  },
  errors: [],
});

export const getLogo = route({
  id: 'branding.get_logo',
  method: 'GET',
  path: IMAGE,
  access: 'tenant',
  summary: 'A logo of the tenant that the request names',
  description: 'For its pages. The address has the digest of the image, which never changes.',
  params: Type.Object({
    digest: Type.String({
      description: 'SHA-256 of the image, in hexadecimal.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
  }),
  ok: {
    kind: 'image',
    status: 200,
    contentType: 'image/*',
    body: Type.String({ description: 'PNG, WebP, AVIF or SVG.', examples: ['<svg/>'] }),
  },
  errors: ['NOT_FOUND'],
});

export const getIssuerLogo = atIssuer(getLogo, {
  id: 'branding.get_issuer_logo',
  path: `${ISSUER_PATH}${IMAGE}`,
  summary: 'A logo of the tenant',
});

export const LOGO_ROUTES = [listLogos, fetchLogos, getLogo, getIssuerLogo];
