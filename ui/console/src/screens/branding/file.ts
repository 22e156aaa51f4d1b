export const MAX_LOGO_BYTES = 256 * 1024;

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
