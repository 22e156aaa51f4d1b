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

/** @returns a `data:` URL with the content of a file, in base64 */
export function readFile(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      if (typeof reader.result === 'string') resolve(reader.result);
    });
    reader.addEventListener('error', () => reject(reader.error ?? new Error('It was not read.')));
    reader.readAsDataURL(file);
  });
}
