import Type from 'typebox';
import { imagePath, imageUpload } from '../images.ts';
import { atIssuer, ISSUER_PATH } from '../issuer-routes.ts';
import { listOf, listQuery, OF_TENANT } from '../list.ts';
import { LOGO_KINDS, LogoRecord, MAX_ANY_IMAGE_BYTES } from '../records/logo.ts';
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
  description: 'Returns the logos, the icon and the background of the tenant, with their states.',
  query: closed({ ...listQuery, ...OF_TENANT }),
  ok: { status: 200, body: listOf(LogoRecord) },
  errors: ['VALIDATION_FAILED'],
});

export const fetchLogos = route({
  id: 'branding.fetch_logos',
  method: 'POST',
  path: `${LOGOS}/fetch`,
  access: { scope: 'write:tenant' },
  summary: 'Fetch the tenant’s logos again',
  description:
    'Use this after an image has changed or a fetch has failed. The stored image is kept until a new one replaces it.',
  ok: {
    status: 200,
    body: Type.Object(
      { logos: Type.Array(LogoRecord, { description: 'The state of each logo.' }) },
      { $id: 'FetchedLogos', description: 'Logos, which are fetched again.' },
    ),
  },
  errors: [],
});

/** The size of the largest kind; the service checks that of each kind. */
export const LOGO_UPLOAD = imageUpload(
  MAX_ANY_IMAGE_BYTES,
  'PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=',
);

const kindPath = Type.Object({
  kind: Type.Enum([...LOGO_KINDS], {
    description:
      '`logo`; `logo_dark` for dark backgrounds; `icon`, a square; or `background`, the image behind or next to the form.',
    examples: ['logo'],
  }),
});

export const putLogo = route({
  id: 'branding.put_logo',
  method: 'PUT',
  path: `${LOGOS}/:kind`,
  access: { scope: 'write:tenant' },
  summary: 'Upload a logo',
  description:
    'Uploads a file instead of fetching a URL, which is removed from `branding`. Accepts PNG, JPEG, WebP, AVIF, and SVG without a document type and with at most 100,000 elements; at most 256 KiB (`background`: 512 KiB) and 4096 pixels on each side. Replaces the existing image.',
  params: kindPath,
  body: LOGO_UPLOAD.body,
  maxBodyBytes: LOGO_UPLOAD.maxBodyBytes,
  ok: { status: 200, body: LogoRecord },
  errors: ['VALIDATION_FAILED', 'NOT_FOUND'],
});

export const deleteLogo = route({
  id: 'branding.delete_logo',
  method: 'DELETE',
  path: `${LOGOS}/:kind`,
  access: { scope: 'write:tenant' },
  summary: 'Delete a logo',
  description: 'Deletes the logo’s image and its URL. The image is no longer served.',
  params: kindPath,
  ok: {
    status: 200,
    body: Type.Object(
      {
        kind: Type.Enum([...LOGO_KINDS], { description: 'The deleted logo.', examples: ['logo'] }),
        deleted: Type.Literal(true, { description: 'Always `true`: the logo was deleted.' }),
      },
      { $id: 'DeletedLogo', description: 'A logo that was deleted.' },
    ),
  },
  errors: ['NOT_FOUND'],
});

export const getLogo = route({
  id: 'branding.get_logo',
  method: 'GET',
  path: IMAGE,
  access: 'tenant',
  summary: 'Get a logo of the tenant',
  description:
    'For the tenant’s pages; the request names the tenant. The URL contains the digest of the image, so the response never changes.',
  params: imagePath,
  ok: {
    kind: 'image',
    status: 200,
    contentType: 'image/*',
    body: Type.String({ description: 'PNG, JPEG, WebP, AVIF or SVG.', examples: ['<svg/>'] }),
  },
  errors: ['NOT_FOUND'],
});

export const getIssuerLogo = atIssuer(getLogo, {
  id: 'branding.get_issuer_logo',
  path: `${ISSUER_PATH}${IMAGE}`,
  summary: 'Get a logo of a tenant, at the issuer URL',
});

export const LOGO_ROUTES = [listLogos, fetchLogos, deleteLogo, putLogo, getLogo, getIssuerLogo];
