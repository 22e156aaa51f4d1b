// Makes the bundle that server/src/start.mjs starts.

import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { createRequire, isBuiltin, SourceMap } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import { bundlesIn, digestOf, lookOf, manifestIn } from '../../server/src/bundle.mjs';

const ENTRY = 'server/src/main.ts';
/** What decides, besides the files that are bundled, what a bundle is. */
const ALSO_SOURCES = [
  'package.json',
  'package-lock.json',
  'node_modules/.package-lock.json',
  'contract/package.json',
  'server/package.json',
  'server/src/bundle.mjs',
  'tools/setup/bundle.mjs',
];
/** Loaded from where it is installed: what is native or no JavaScript, and what a start does not load. */
const OUTSIDE = [
  '@electric-sql/pglite',
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  '@node-rs/argon2',
  '@opentelemetry/*',
  '@zxcvbn-ts/language-common',
  'fast-json-stringify',
  'light-my-request',
  'pg-native',
  'prom-client',
  'sodium-native',
  'undici',
];
/** pg looks for the one and does without; the other is no built-in of every Node.js that may run this. */
const MAY_BE_ABSENT = ['pg-native', 'node:sqlite'];
/** A process may still load parts of the bundle that it was started from: the one before stays, others for a day. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * Makes the bundle of what lies there now. Whoever starts meanwhile finds the one before, or none.
 * @param {string} root of the clone
 * @throws when a source is wrong, or nothing can be written there
 */
export async function makeBundle(root) {
  const folder = join(bundlesIn(root), `bundle-${randomBytes(8).toString('hex')}`);
  fs.mkdirSync(folder, { recursive: true });
  /** @type {Map<string, string>} */
  const texts = new Map();
  const { inputs, outputs } = await writeBundle({
    root,
    outdir: folder,
    placedIn: folder,
    entryPoints: { main: ENTRY },
    texts,
  });
  requireInstalled(folder, outputs);
  for (const path of Object.keys(outputs)) {
    if (path.endsWith('.map')) writePlaces(join(root, path));
  }
  const manifest = describeBundle(root, folder, Object.keys(inputs));
  requireUntouched(texts);
  const draft = join(folder, 'manifest.json');
  fs.writeFileSync(draft, JSON.stringify(manifest));
  const before = findFolder(root);
  fs.renameSync(draft, manifestIn(root));
  removeOld(bundlesIn(root), [folder, before]);
}

/**
 * @typedef {object} BundleOptions
 * @property {string} root of the clone
 * @property {string} outdir where the files are written, all into one folder
 * @property {string} placedIn the folder of the clone that they will be in, relative to which they find other files
 * @property {Record<string, string>} entryPoints name of an output without its extension → source
 * @property {Map<string, string>} [texts] filled with what the sources said
 */

/** @param {BundleOptions} options */
export async function writeBundle({ root, outdir, placedIn, entryPoints, texts = new Map() }) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints,
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // As Node.js resolves: esbuild would take what packages offer to bundlers.
    conditions: [],
    mainFields: ['main'],
    external: OUTSIDE,
    // Packages that are CommonJS ask for built-ins by it.
    banner: {
      js: "import { createRequire as $require } from 'node:module'; const require = $require(import.meta.url);",
    },
    metafile: true,
    sourcemap: 'external',
    sourcesContent: false,
    tsconfigRaw: { compilerOptions: { target: 'esnext', verbatimModuleSyntax: true } },
    logLevel: 'silent',
    plugins: [{ name: 'where sources are', setup: (on) => keepPlaces(on, root, placedIn, texts) }],
  });
  return metafile;
}

/**
 * A source that asks where it is hears where it was: migrations lie beside the sources.
 * @param {import('esbuild').PluginBuild} on
 * @param {string} root
 * @param {string} placedIn
 * @param {Map<string, string>} texts
 */
function keepPlaces(on, root, placedIn, texts) {
  on.onLoad({ filter: /\.(ts|mjs)$/ }, ({ path }) => {
    if (path.includes('/node_modules/') || !path.startsWith(root)) return undefined;
    const text = fs.readFileSync(path, 'utf8');
    texts.set(path, text);
    const place = JSON.stringify(urlPath(relative(placedIn, path)));
    const contents = text.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`);
    return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' };
  });
}

/** @param {string} path */
function urlPath(path) {
  return path.replaceAll('\\', '/');
}

/**
 * What is left outside has to be found from where the bundle lies.
 * @param {string} folder
 * @param {import('esbuild').Metafile['outputs']} outputs
 */
function requireInstalled(folder, outputs) {
  const { resolve: find } = createRequire(join(folder, 'main.mjs'));
  const names = Object.values(outputs).flatMap(({ imports }) =>
    imports.filter(({ external }) => external).map(({ path }) => path),
  );
  const needed = names.filter((name) => !isBuiltin(name) && !MAY_BE_ABSENT.includes(name));
  for (const name of new Set(needed)) find(name);
}

/**
 * Writes which line comes from where, and takes the source map away.
 * @param {string} mapFile
 */
function writePlaces(mapFile) {
  const file = mapFile.slice(0, -'.map'.length);
  const payload = JSON.parse(fs.readFileSync(mapFile, 'utf8'));
  const map = new SourceMap(payload);
  const places = new Map(
    payload.sources.map((/** @type {string} */ source, /** @type {number} */ at) => [source, at]),
  );
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  const found = lines.flatMap((text, line) => {
    const entry = map.findEntry(line, text.search(/\S|$/));
    const isOnLine = 'generatedLine' in entry && entry.generatedLine === line;
    return isOnLine ? [places.get(entry.originalSource) ?? -1, entry.originalLine + 1] : [-1, 0];
  });
  fs.writeFileSync(`${file}.json`, JSON.stringify({ sources: payload.sources, lines: found }));
  fs.rmSync(mapFile);
}

/**
 * @param {string} root
 * @param {string} folder
 * @param {readonly string[]} inputs
 * @returns {import('../../server/src/bundle.mjs').Manifest}
 */
function describeBundle(root, folder, inputs) {
  const isOfPackage = (/** @type {string} */ path) => path.includes('node_modules/');
  const own = inputs.filter((path) => !isOfPackage(path));
  const sources = [...own, ...ALSO_SOURCES].filter((path) => fs.existsSync(join(root, path)));
  const bundled = fs.readdirSync(folder).map((name) => relative(root, join(folder, name)));
  const packages = inputs.filter(isOfPackage);
  const manifests = new Set(packages.map(manifestOfPackage));
  const files = [...packages, ...manifests, ...bundled].map((path) => [
    urlPath(path),
    lookOf(join(root, path)),
  ]);
  return {
    entry: urlPath(relative(root, join(folder, 'main.mjs'))),
    sources,
    digest: digestOf(root, sources),
    files: Object.fromEntries(files),
  };
}

/** @param {string} path of a file of a package */
function manifestOfPackage(path) {
  return path.replace(/^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\/.*$/, '$1/package.json');
}

/**
 * A source that was edited while the bundle was made would be in it as it was, and count as it is.
 * @param {ReadonlyMap<string, string>} texts
 */
function requireUntouched(texts) {
  for (const [path, text] of texts) {
    if (fs.readFileSync(path, 'utf8') !== text) throw new Error(`${path} was changed meanwhile`);
  }
}

/**
 * Where the newest bundle is, current or not.
 * @param {string} root
 */
function findFolder(root) {
  try {
    return dirname(join(root, JSON.parse(fs.readFileSync(manifestIn(root), 'utf8')).entry));
  } catch {
    return undefined;
  }
}

/**
 * @param {string} bundles
 * @param {readonly (string | undefined)[]} kept
 */
function removeOld(bundles, kept) {
  for (const name of fs.readdirSync(bundles)) {
    const path = join(bundles, name);
    const isOld = Date.now() - fs.statSync(path).mtimeMs > KEPT_MS;
    if (name.startsWith('bundle-') && !kept.includes(path) && isOld) {
      fs.rmSync(path, { recursive: true, force: true });
    }
  }
}
