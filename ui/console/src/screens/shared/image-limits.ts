/** The images of a brand. */
export const KINDS = ['logo', 'logo_dark', 'icon', 'background'] as const;
export type ImageKind = (typeof KINDS)[number];

/** The largest file of each kind, in bytes. */
export const MAX_IMAGE_BYTES = {
  logo: 256 * 1024,
  logo_dark: 256 * 1024,
  icon: 256 * 1024,
  background: 512 * 1024,
} as const;

/** The largest picture of a user, in bytes. */
export const MAX_PICTURE_BYTES = 256 * 1024;
