import Type from 'typebox';
import { pathId, UserIdSchema } from '../ids.ts';
import { imagePath, imageUpload } from '../images.ts';
import { atIssuer, ISSUER_PATH } from '../issuer-routes.ts';
import { UserRecord } from '../records/user.ts';
import { API_BASE, route } from '../route.ts';

/** The maximum size of an uploaded picture. */
export const MAX_PICTURE_BYTES = 256 * 1024;
/** The longest side of an uploaded picture, in pixels. A few bytes can encode many pixels. */
export const MAX_PICTURE_SIDE = 2048;

const OWN_PICTURE = `${API_BASE}/me/picture` as const;
const PICTURE = `${API_BASE}/users/:user_id/picture` as const;
const IMAGE = '/pictures/:digest';

const UPLOAD = imageUpload(
  MAX_PICTURE_BYTES,
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
);

const ACCEPTED =
  'Accepts PNG, JPEG and WebP without animation, at most 256 KiB and 2048 pixels on each side. Metadata, such as the place of a photo, is removed.';

export const putOwnPicture = route({
  id: 'me.put_picture',
  method: 'PUT',
  path: OWN_PICTURE,
  access: 'user',
  summary: 'Upload the caller’s picture',
  description: `Replaces the picture. \`picture\` is then a URL of the service. ${ACCEPTED}`,
  body: UPLOAD.body,
  maxBodyBytes: UPLOAD.maxBodyBytes,
  ok: { status: 200, body: UserRecord },
  errors: ['VALIDATION_FAILED', 'NOT_FOUND', 'PRINCIPAL_PROTECTED', 'SCOPE_NOT_HELD'],
});

export const deleteOwnPicture = route({
  id: 'me.delete_picture',
  method: 'DELETE',
  path: OWN_PICTURE,
  access: 'user',
  summary: 'Delete the caller’s picture',
  description: 'Deletes the image and sets `picture` to `null`.',
  ok: { status: 200, body: UserRecord },
  errors: ['NOT_FOUND', 'PRINCIPAL_PROTECTED', 'SCOPE_NOT_HELD'],
});

const params = Type.Object({ user_id: pathId(UserIdSchema) });

export const putPicture = route({
  id: 'users.put_picture',
  method: 'PUT',
  path: PICTURE,
  access: { scope: 'write:users' },
  summary: 'Upload a user’s picture',
  description: `Replaces the picture of a user who holds no more permissions than you. \`picture\` is then a URL of the service. ${ACCEPTED}`,
  params,
  body: UPLOAD.body,
  maxBodyBytes: UPLOAD.maxBodyBytes,
  ok: { status: 200, body: UserRecord },
  errors: ['VALIDATION_FAILED', 'NOT_FOUND', 'PRINCIPAL_PROTECTED', 'SCOPE_NOT_HELD'],
});

export const deletePicture = route({
  id: 'users.delete_picture',
  method: 'DELETE',
  path: PICTURE,
  access: { scope: 'write:users' },
  summary: 'Delete a user’s picture',
  description: 'Deletes the image and sets `picture` to `null`.',
  params,
  ok: { status: 200, body: UserRecord },
  errors: ['NOT_FOUND', 'PRINCIPAL_PROTECTED', 'SCOPE_NOT_HELD'],
});

export const getPicture = route({
  id: 'users.get_picture',
  method: 'GET',
  path: IMAGE,
  access: 'tenant',
  summary: 'Get an uploaded picture',
  description:
    'For browsers; the request names the tenant. Anyone with the URL can read the picture. The URL contains the digest of the image, so the response never changes.',
  params: imagePath,
  ok: {
    kind: 'image',
    status: 200,
    contentType: 'image/*',
    body: Type.String({ description: 'PNG, JPEG or WebP.', examples: ['(image)'] }),
  },
  errors: ['NOT_FOUND'],
});

export const getIssuerPicture = atIssuer(getPicture, {
  id: 'users.get_issuer_picture',
  path: `${ISSUER_PATH}${IMAGE}`,
  summary: 'Get an uploaded picture, at the issuer URL',
});

export const PICTURE_ROUTES = [
  putOwnPicture,
  deleteOwnPicture,
  putPicture,
  deletePicture,
  getPicture,
  getIssuerPicture,
] as const;
