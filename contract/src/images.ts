import Type from 'typebox';
import { EXPECTS } from './expectation.ts';
import { closed } from './shape.ts';

/**
 * The body of an upload.
 * @param maxBytes the maximum size of the file
 * @param example a file in base64
 */
export function imageUpload(maxBytes: number, example: string) {
  const maxLength = 4 * Math.ceil(maxBytes / 3);
  const image = Type.String({
    minLength: 4,
    maxLength,
    pattern: '^[A-Za-z0-9+/]+={0,2}$',
    [EXPECTS]: 'the bytes of a file in base64',
    description: 'The file, in base64 (RFC 4648 §4).',
    examples: [example],
  });
  return { body: closed({ image }), maxBodyBytes: maxLength + 1024 };
}

/** The digest in the URL of an uploaded or fetched image. */
export const imagePath = Type.Object({
  digest: Type.String({
    description: 'SHA-256 of the image, in hexadecimal.',
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  }),
});
