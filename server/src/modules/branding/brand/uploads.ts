import type { Fail } from '@keywright/contract/errors';
import { LOGO_KINDS, type LogoKind, MAX_IMAGE_BYTES } from '@keywright/contract/records/logo';
import type { Upload } from './brand-store.ts';
import { checkImage, digestOf } from './logo-image.ts';

export function kindOf(text: string): LogoKind | undefined {
  return LOGO_KINDS.find((kind) => kind === text);
}

/** @throws AppError VALIDATION_FAILED for a file that is not an acceptable image */
export function requireImage(
  text: string,
  kind: LogoKind,
  fail: Fail<'VALIDATION_FAILED'>,
): Omit<Upload, 'kind'> {
  const maxBytes = MAX_IMAGE_BYTES[kind];
  const image = Buffer.from(text, 'base64');
  const refuse = (message: string) =>
    fail('VALIDATION_FAILED', { errors: [{ path: '/image', message }] });
  // Two encodings of the same bytes must not count as different files.
  if (image.toString('base64') !== text) refuse('is not base64 with padding');
  if (image.length > maxBytes) refuse(`is larger than ${maxBytes / 1024} KiB`);
  const checked = checkImage(image);
  if ('objection' in checked) return refuse(checked.objection);
  return { contentType: checked.contentType, digest: digestOf(image), image };
}
