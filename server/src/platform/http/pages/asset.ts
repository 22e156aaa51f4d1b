import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { zlib } from '../../zlib.ts';

/** The best quality, 11, takes 30 times as long for the OpenAPI document, and makes it only 8% smaller. */
const LARGE = { from: 65_536, quality: 9 };
const BEST_QUALITY = 11;

const COMPRESS = {
  br: (text: string) => {
    const quality = text.length < LARGE.from ? BEST_QUALITY : LARGE.quality;
    const params = { [zlib().constants.BROTLI_PARAM_QUALITY]: quality };
    return promisify(zlib().brotliCompress)(text, { params });
  },
  gzip: (text: string) => promisify(zlib().gzip)(text),
} as const;
export type Coding = keyof typeof COMPRESS;
/** The smallest first. */
export const CODINGS = Object.keys(COMPRESS) as Coding[];

/** A file of the service itself. It contains no data of a request, so it can be compressed safely. */
export class Asset {
  /** The first 132 bits of SHA-256, in base64url. */
  readonly digest: string;
  readonly #text: string;
  readonly #compressed = new Map<Coding, Promise<Buffer>>();

  constructor(text: string) {
    this.#text = text;
    this.digest = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  }

  /**
   * Returns the file in the best coding that a client accepts (RFC 9110 §12.5.3). Each is compressed once, on first
   * use.
   */
  async read(accepts: string | undefined): Promise<{ bytes: Buffer; coding: Coding | undefined }> {
    const coding = CODINGS.find((candidate) => isAccepted(candidate, accepts));
    if (!coding) return { bytes: Buffer.from(this.#text), coding };
    let made = this.#compressed.get(coding);
    if (!made) this.#compressed.set(coding, (made = COMPRESS[coding](this.#text)));
    return { bytes: await made, coding };
  }
}

/** Whether Accept-Encoding allows a coding by name (RFC 9110 §12.5.3). */
export function isAccepted(coding: Coding, accepts = ''): boolean {
  return accepts.split(',').some((item) => {
    const [name, weight = ''] = item.split(';').map((part) => part.trim().toLowerCase());
    return name === coding && !/^q=0(\.0*)?$/.test(weight);
  });
}
