// Builds the console into a page and immutable files, whose names contain a digest. Runs on the system's Node.js, as
// setup does, so it is not TypeScript.

import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'esbuild';
import { buildReference } from '../reference/build.mjs';

const BASE = '/console/';
const TYPES = new Map([
  ['.css', 'text/css; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.woff2', 'font/woff2'],
]);
/** The icons and the font of the first view. The font is requested together with the style that names it. */
const FIRST_ASSETS = /^(icons-[0-9A-Z]{8}\.svg|geist-[0-9A-Z]{8}\.woff2)$/;
/** Quality 11 takes ten times as long as 5, and saves a tenth of the size. */
const BROTLI_QUALITY = { release: 11, here: 5 };

/**
 * @typedef {object} BuildOptions
 * @property {string} root of the clone
 * @property {string} outdir where the files are written
 * @property {boolean} [release] compresses as much as possible
 * @property {string} [sources] a digest of the sources, which the manifest keeps
 */

/**
 * @typedef {object} Chunk a file that the browser loads
 * @property {string} name
 * @property {number} bytes
 * @property {number} gzipped
 * @property {boolean} isFirst whether the first view needs it
 */

/**
 * @param {BuildOptions} options
 * @returns {Promise<readonly Chunk[]>}
 * @throws when a source has an error, or the folder cannot be written
 */
export async function buildConsole({ root, outdir, release = false, sources = '' }) {
  const folder = join(root, 'ui', 'console');
  const { outputFiles, metafile } = await bundle(folder, outdir);
  const assets = outputFiles.map(({ path, contents }) => ({
    name: basename(path),
    contents: Buffer.from(contents),
  }));
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]),
  );
  const first = firstView(outputs);
  const page = pageOf(fs.readFileSync(join(folder, 'src', 'index.html'), 'utf8'), first);
  const digest = digestOf([page, ...assets.map(({ contents }) => contents)]);
  const compressed = await Promise.all(
    assets.map(({ name, contents }) => compress(name, contents, release)),
  );
  const written = [...assets, ...compressed.flat()];
  const files = {
    style: pathOf(assets, /^reference-look-[0-9A-Z]{8}\.css$/),
    script: pathOf(assets, /^reference-[0-9A-Z]{8}\.js$/),
  };
  await buildReference({ root, outdir: join(outdir, 'reference'), files, release });
  write(outdir, written, page, manifestOf(assets, digest, sources));
  return assets.map(({ name, contents }) => ({
    name,
    bytes: contents.length,
    gzipped: written.find((file) => file.name === `${name}.gz`)?.contents.length ?? 0,
    isFirst: first.includes(name),
  }));
}

/**
 * @param {string} folder of the sources
 * @param {string} outdir
 */
function bundle(folder, outdir) {
  return build({
    absWorkingDir: folder,
    entryPoints: {
      console: 'src/main.tsx',
      look: 'src/look/look.css',
      reference: '../reference/browser/main.ts',
      'reference-look': '../reference/browser/look.css',
    },
    outdir,
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
    assetNames: 'assets/[name]-[hash]',
    loader: { '.woff2': 'file' },
    plugins: [iconsIn(join(folder, 'src'))],
    publicPath: BASE,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome123', 'firefox128', 'safari17.5'],
    conditions: ['@keywright/source'],
    define: { 'process.env.NODE_ENV': '"production"' },
    jsx: 'automatic',
    minify: true,
    legalComments: 'none',
    write: false,
    metafile: true,
    logLevel: 'silent',
    tsconfigRaw: { compilerOptions: { target: 'esnext', verbatimModuleSyntax: true } },
  });
}

/**
 * @param {readonly { name: string }[]} assets
 * @param {RegExp} pattern of the name
 */
function pathOf(assets, pattern) {
  return `${BASE}assets/${assets.find(({ name }) => pattern.test(name))?.name ?? ''}`;
}

/**
 * Makes one file of the icons that the sources name. Each is a symbol, so that a page refers to it by its name.
 * @param {string} sources
 * @returns {import('esbuild').Plugin}
 */
function iconsIn(sources) {
  const namespace = 'icons';
  return {
    name: namespace,
    setup(builder) {
      builder.onResolve({ filter: /^virtual:icons$/ }, () => ({ path: 'icons.svg', namespace }));
      builder.onLoad({ filter: /./, namespace }, () => ({
        contents: spriteOf(sources),
        loader: 'file',
      }));
    },
  };
}

/** @param {string} sources */
function spriteOf(sources) {
  const icons = JSON.parse(fs.readFileSync(join(sources, 'look', 'icons.json'), 'utf8'));
  const code = fs
    .readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^(?!generated).*(?<!\.test)\.tsx?$/.test(name))
    .map((name) => fs.readFileSync(join(sources, name), 'utf8'))
    .join('\n');
  const named = new Set([...code.matchAll(/['"]([a-z0-9-]+)['"]/g)].map(([, name]) => name));
  const symbols = Object.entries(icons)
    .filter(([name]) => named.has(name))
    .map(([name, shapes]) => `<symbol id="${name}" viewBox="0 0 24 24">${shapes}</symbol>`);
  return `<svg xmlns="http://www.w3.org/2000/svg"><!-- Lucide, ISC -->${symbols.join('')}</svg>`;
}

/** @typedef {import('esbuild').Metafile['outputs'][string]} Output */

/**
 * Returns the names of the script with all its static imports, the stylesheet, the icons and the font; the script first.
 * @param {ReadonlyMap<string, Output>} outputs
 */
function firstView(outputs) {
  const entries = [...outputs].filter(([, { entryPoint }]) => entryPoint !== undefined);
  const named = (/** @type {string} */ source) =>
    entries.find(([, { entryPoint }]) => entryPoint === source)?.[0] ?? '';
  const loaded = new Set([named('src/main.tsx')]);
  for (const name of loaded) {
    for (const { path, kind } of outputs.get(name)?.imports ?? []) {
      if (kind === 'import-statement') loaded.add(basename(path));
    }
  }
  const assets = [...outputs.keys()].filter((name) => FIRST_ASSETS.test(name));
  return [...loaded, named('src/look/look.css'), ...assets];
}

/**
 * @param {string} template
 * @param {readonly string[]} first
 */
function pageOf(template, first) {
  const [script = '', ...rest] = first;
  const tags = [
    ...rest
      .filter((name) => name.endsWith('.woff2'))
      .map(
        (name) =>
          `<link rel="preload" href="${BASE}assets/${name}" as="font" type="font/woff2" crossorigin>`,
      ),
    ...rest
      .filter((name) => name.endsWith('.css'))
      .map((name) => `<link rel="stylesheet" href="${BASE}assets/${name}">`),
    ...rest
      .filter((name) => name.endsWith('.js'))
      .map((name) => `<link rel="modulepreload" href="${BASE}assets/${name}">`),
    `<script type="module" src="${BASE}assets/${script}"></script>`,
  ];
  return template.replace('<!-- files -->', tags.join('\n    '));
}

/** @param {readonly (string | Buffer)[]} parts */
function digestOf(parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}\n`).update(part);
  return hash.digest('hex').slice(0, 32);
}

/**
 * @param {string} name
 * @param {Buffer} contents
 * @param {boolean} release
 */
async function compress(name, contents, release) {
  const quality = release ? BROTLI_QUALITY.release : BROTLI_QUALITY.here;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: contents.length,
  };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(contents, { params }),
    promisify(gzip)(contents, { level: 9 }),
  ]);
  return [
    { name: `${name}.br`, contents: br },
    { name: `${name}.gz`, contents: gz },
  ];
}

/**
 * @param {readonly { name: string }[]} assets
 * @param {string} digest
 * @param {string} sources
 */
function manifestOf(assets, digest, sources) {
  const files = assets.map(({ name }) => [
    `${BASE}assets/${name}`,
    { file: `assets/${name}`, type: TYPES.get(name.slice(name.lastIndexOf('.'))) },
  ]);
  return JSON.stringify({ digest, sources, files: Object.fromEntries(files) });
}

/**
 * Writes the manifest last, so that every file it names exists. Keeps the files of the previous build for open pages,
 * and deletes older ones.
 * @param {string} outdir
 * @param {readonly { name: string, contents: Buffer }[]} files
 * @param {string} page
 * @param {string} manifest
 */
function write(outdir, files, page, manifest) {
  const before = filesOf(outdir);
  fs.mkdirSync(join(outdir, 'assets'), { recursive: true });
  for (const { name, contents } of files) writeAtomically(join(outdir, 'assets', name), contents);
  writeAtomically(join(outdir, 'index.html'), page);
  writeAtomically(join(outdir, 'manifest.json'), manifest);
  const retained = new Set([...before, ...files.map(({ name }) => name)]);
  for (const name of fs.readdirSync(join(outdir, 'assets'))) {
    if (!retained.has(name)) fs.rmSync(join(outdir, 'assets', name));
  }
}

/** @param {string} outdir */
function filesOf(outdir) {
  try {
    const { files } = JSON.parse(fs.readFileSync(join(outdir, 'manifest.json'), 'utf8'));
    const names = Object.keys(files).map((path) => basename(path));
    return names.flatMap((name) => [name, `${name}.br`, `${name}.gz`]);
  } catch {
    return [];
  }
}

/**
 * @param {string} path
 * @param {string | Buffer} contents
 */
function writeAtomically(path, contents) {
  fs.mkdirSync(dirname(path), { recursive: true });
  fs.writeFileSync(`${path}.draft`, contents);
  fs.renameSync(`${path}.draft`, path);
}
