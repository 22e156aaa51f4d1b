import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** As for the files of the console: the best quality takes many times as long. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Writes a compressed copy next to each text of a built site, so that the service does not compress on requests. */
export function compressSite(dist: string): void {
  for (const file of globSync('**/*.{css,html,js,json,md,svg,txt}', { cwd: dist })) {
    const bytes = readFileSync(join(dist, file));
    writeFileSync(join(dist, `${file}.br`), brotliCompressSync(bytes, BROTLI));
    writeFileSync(join(dist, `${file}.gz`), gzipSync(bytes));
  }
}
