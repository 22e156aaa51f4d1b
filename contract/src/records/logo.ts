import Type, { type Static } from 'typebox';
import { TenantIdSchema } from '../ids.ts';

export const LOGO_KINDS = ['logo', 'logo_dark', 'icon', 'background'] as const;
export type LogoKind = (typeof LOGO_KINDS)[number];

/** The maximum size of each image in bytes, whether fetched or uploaded. */
export const MAX_IMAGE_BYTES: Readonly<Record<LogoKind, number>> = {
  logo: 256 * 1024,
  logo_dark: 256 * 1024,
  icon: 256 * 1024,
  background: 512 * 1024,
};
export const MAX_ANY_IMAGE_BYTES = Math.max(...Object.values(MAX_IMAGE_BYTES));

export const LogoRecord = Type.Object(
  {
    tenant_id: TenantIdSchema,
    kind: Type.Enum([...LOGO_KINDS], {
      description: 'Name of the `branding` setting, without `_url`.',
    }),
    url: Type.Union([Type.String(), Type.Null()], {
      description: 'URL that the logo is fetched from; `null` if it was uploaded.',
      examples: ['https://acme.example.com/logo.svg'],
    }),
    status: Type.Enum(['pending', 'stored', 'failed'], {
      description:
        '`pending`: not fetched yet. `stored`: shown on the pages. `failed`: not available, as explained in `reason`; the pages are shown without it.',
    }),
    reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the last attempt failed.',
      examples: ['The status of the response is not 200.'],
    }),
    content_type: Type.Union([Type.String(), Type.Null()], {
      description: 'Media type of the stored image.',
      examples: ['image/svg+xml'],
    }),
    sha256: Type.Union([Type.String(), Type.Null()], {
      description: 'SHA-256 of the stored image, in hexadecimal. Last part of the image’s URL.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
  },
  { $id: 'Logo', description: 'An image of the tenant’s branding.' },
);
export type LogoRecord = Static<typeof LogoRecord>;
