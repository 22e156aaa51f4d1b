// Renders the API reference into pages. Runs on the system's Node.js, as setup does, so it is not TypeScript.

import * as fs from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'esbuild';

/** The best quality: it takes three seconds for all pages, and saves a tenth. */
const BROTLI_QUALITY = { release: 11, here: 9 };

/**
 * @typedef {object} ReferenceOptions
 * @property {string} root of the clone
 * @property {string} outdir where the pages are written
 * @property {{ style: string, script: string }} files that the pages load
 * @property {boolean} release compresses as much as possible
 */

/**
 * @param {ReferenceOptions} options
 * @throws when a source has an error, or the folder cannot be written
 */
export async function buildReference({ root, outdir, files, release }) {
  const { version } = JSON.parse(fs.readFileSync(join(root, 'package.json'), 'utf8'));
  const { renderReference } = await import(await bundleRenderer(root));
  /** @type {ReadonlyMap<string, string>} */
  const pages = renderReference(files, version);
  const written = await Promise.all(
    [...pages].map(([name, text]) => compress(name, Buffer.from(text), release)),
  );
  fs.mkdirSync(outdir, { recursive: true });
  for (const { name, contents } of written.flat()) {
    fs.writeFileSync(join(outdir, `${name}.draft`), contents);
    fs.renameSync(join(outdir, `${name}.draft`), join(outdir, name));
  }
  const names = new Set(written.flat().map(({ name }) => name));
  for (const name of fs.readdirSync(outdir)) {
    if (!names.has(name)) fs.rmSync(join(outdir, name));
  }
}

/**
 * @param {string} root
 * @returns {Promise<string>} the URL of a module, since the renderer is TypeScript
 */
async function bundleRenderer(root) {
  const { outputFiles } = await build({
    absWorkingDir: join(root, 'ui', 'reference'),
    entryPoints: ['src/render.tsx'],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'node20',
    // React for other environments keeps the process alive.
    conditions: ['@keywright/source', 'edge-light'],
    define: { 'process.env.NODE_ENV': '"production"' },
    jsx: 'automatic',
    write: false,
    logLevel: 'silent',
    tsconfigRaw: { compilerOptions: { target: 'esnext', verbatimModuleSyntax: true } },
  });
  return `data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`;
}

/**
 * @param {string} name
 * @param {Buffer} contents
 * @param {boolean} release
 */
async function compress(name, contents, release) {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: release ? BROTLI_QUALITY.release : BROTLI_QUALITY.here,
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: contents.length,
  };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(contents, { params }),
    promisify(gzip)(contents, { level: 9 }),
  ]);
  return [
    { name, contents },
    { name: `${name}.br`, contents: br },
    { name: `${name}.gz`, contents: gz },
  ];
}
