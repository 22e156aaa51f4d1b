import Type, { type Static } from 'typebox';
import { TenantIdSchema } from '../ids.ts';

export const LOGO_KINDS = ['logo', 'logo_dark'] as const;
/** The maximum size of an image, whether fetched or uploaded. */
export const MAX_LOGO_BYTES = 256 * 1024;

export type LogoKind = (typeof LOGO_KINDS)[number];

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
        '`pending`: not fetched yet. `stored`: shown on the pages. `failed`: not available, as explained in `reason`; the pages show the company name instead.',
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
  { $id: 'Logo', description: 'A logo of the tenant.' },
);
export type LogoRecord = Static<typeof LogoRecord>;
