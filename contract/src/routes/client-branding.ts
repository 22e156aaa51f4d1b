import Type from 'typebox';
import { OAuthClientIdSchema, pathId } from '../ids.ts';
import { ClientBranding, ClientBrandingPatch } from '../records/branding.ts';
import { LOGO_KINDS } from '../records/logo.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { LOGO_UPLOAD } from './logos.ts';

const BASE = `${API_BASE}/clients/:client_id/branding` as const;
const clientPath = Type.Object({ client_id: pathId(OAuthClientIdSchema) });
const imagePath = Type.Object({
  client_id: pathId(OAuthClientIdSchema),
  kind: Type.Enum([...LOGO_KINDS], {
    description: 'Kind of the image, as in `PUT /logos/:kind`.',
    examples: ['logo'],
  }),
});

export const getClientBranding = route({
  id: 'clients.get_branding',
  method: 'GET',
  path: BASE,
  access: { scope: 'read:clients', administrator: true },
  summary: 'Get the branding of an OAuth client',
  description:
    'Returns what the client replaces of the tenant’s branding when users sign in to it. A client without its own branding has empty `settings` and `images`.',
  params: clientPath,
  ok: { status: 200, body: ClientBranding },
  errors: ['NOT_FOUND'],
});

export const updateClientBranding = route({
  id: 'clients.update_branding',
  method: 'PATCH',
  path: BASE,
  access: { scope: 'write:clients', administrator: true },
  summary: 'Update the branding of an OAuth client',
  description:
    'Merges the settings field by field. `null` removes a setting, so that the tenant’s applies again.',
  params: clientPath,
  body: closed({ settings: Type.Optional(ClientBrandingPatch) }),
  ok: { status: 200, body: ClientBranding },
  errors: ['VALIDATION_FAILED', 'NOT_FOUND'],
});

export const putClientImage = route({
  id: 'clients.put_image',
  method: 'PUT',
  path: `${BASE}/images/:kind`,
  access: { scope: 'write:clients', administrator: true },
  summary: 'Upload an image of an OAuth client',
  description:
    'Uploads a logo, icon or background that replaces the tenant’s when users sign in to the client. The limits are those of `PUT /logos/:kind`.',
  params: imagePath,
  body: LOGO_UPLOAD.body,
  maxBodyBytes: LOGO_UPLOAD.maxBodyBytes,
  ok: { status: 200, body: ClientBranding },
  errors: ['VALIDATION_FAILED', 'NOT_FOUND'],
});

export const deleteClientImage = route({
  id: 'clients.delete_image',
  method: 'DELETE',
  path: `${BASE}/images/:kind`,
  access: { scope: 'write:clients', administrator: true },
  summary: 'Delete an image of an OAuth client',
  description: 'Deletes the image. The pages show the tenant’s image again.',
  params: imagePath,
  ok: { status: 200, body: ClientBranding },
  errors: ['NOT_FOUND'],
});

export const CLIENT_BRANDING_ROUTES = [
  getClientBranding,
  updateClientBranding,
  putClientImage,
  deleteClientImage,
] as const;
