// Builds the service into a few files, which start in a third of the time that a thousand take.

import * as fs from 'node:fs';
import { SourceMap } from 'node:module';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { buildFolder, digestOfSources, findBuild } from './sources.mjs';

const ENTRY = 'start';
/** Not bundled: what is native or not JavaScript, and what a start does not load. */
const EXTERNAL = [
  '@electric-sql/pglite',
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  '@node-rs/argon2',
  '@node-rs/bcrypt',
  '@opentelemetry/*',
  '@zxcvbn-ts/language-common',
  'fast-json-stringify',
  'light-my-request',
  'pg-native',
  'prom-client',
  'sodium-native',
  'undici',
];
/** A running service may still load files of earlier builds: those of the previous build are kept, others for a day. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * Builds the service from its sources, for `npm start`.
 * @param {string} root of the clone
 * @throws when a source has an error, or the folder cannot be written
 */
export async function buildService(root) {
  const folder = buildFolder(root);
  const stamp = join(folder, 'build.json');
  const before = findBuild(root)?.files ?? [];
  // Before reading them: a source edited meanwhile makes the next setup build again.
  const digest = digestOfSources(root);
  const bundled = await bundle({
    root,
    placedIn: folder,
    entryPoints: { [ENTRY]: 'server/src/start.ts' },
  });
  const files = [...bundled].map(([name, text]) =>
    name.endsWith('.map') ? placesOf(name, text, bundled) : { name, text },
  );
  fs.mkdirSync(folder, { recursive: true });
  fs.rmSync(stamp, { force: true });
  for (const { name, text } of files) writeAtomically(join(folder, name), text);
  const names = files.map(({ name }) => name);
  writeAtomically(stamp, JSON.stringify({ digest, files: names }));
  removeOld(folder, [...names, ...before]);
}

/**
 * @typedef {object} BundleOptions
 * @property {string} root of the clone
 * @property {string} placedIn the folder of the clone that the files will be in, relative to which they find other files
 * @property {Record<string, string>} entryPoints name of an output without its extension → source
 */

/**
 * @param {BundleOptions} options
 * @returns {Promise<ReadonlyMap<string, string>>} the files by name, each with a source map
 */
export async function bundle({ root, placedIn, entryPoints }) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints,
    outdir: placedIn,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // As Node.js resolves; esbuild would select what packages offer to bundlers.
    conditions: [],
    mainFields: ['main'],
    external: EXTERNAL,
    // CommonJS packages need it to load built-ins.
    banner: {
      js: "import { createRequire as $require } from 'node:module'; const require = $require(import.meta.url);",
    },
    // Less text is 2 MB less memory; with short lines, each still comes from one line of a source (ADR 26).
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 1,
    write: false,
    sourcemap: 'external',
    sourcesContent: false,
    tsconfigRaw: { compilerOptions: { target: 'esnext', verbatimModuleSyntax: true } },
    logLevel: 'silent',
    plugins: [{ name: 'where sources are', setup: (on) => keepPlaces(on, root, placedIn) }],
  });
  return new Map(outputFiles.map(({ path, text }) => [relative(placedIn, path), text]));
}

/**
 * `import.meta.url` remains the path of the source, because migrations are beside the sources.
 * @param {import('esbuild').PluginBuild} on
 * @param {string} root
 * @param {string} placedIn
 */
function keepPlaces(on, root, placedIn) {
  on.onLoad({ filter: /\.(ts|mjs)$/ }, ({ path }) => {
    if (path.includes('/node_modules/') || !path.startsWith(root)) return undefined;
    const place = JSON.stringify(relative(placedIn, path).replaceAll('\\', '/'));
    const contents = fs
      .readFileSync(path, 'utf8')
      .replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`);
    return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' };
  });
}

/**
 * Which line of a built file comes from where, as server/src/stack-places.ts reads it.
 * @param {string} mapName
 * @param {string} map
 * @param {ReadonlyMap<string, string>} files
 */
function placesOf(mapName, map, files) {
  const name = mapName.slice(0, -'.map'.length);
  const payload = JSON.parse(map);
  const sourceMap = new SourceMap(payload);
  const places = new Map(
    payload.sources.map((/** @type {string} */ source, /** @type {number} */ at) => [source, at]),
  );
  const lines = (files.get(name) ?? '').split('\n').flatMap((text, line) => {
    const entry = sourceMap.findEntry(line, text.search(/\S|$/));
    const isOnLine = 'generatedLine' in entry && entry.generatedLine === line;
    return isOnLine ? [places.get(entry.originalSource) ?? -1, entry.originalLine + 1] : [-1, 0];
  });
  return { name: `${name}.json`, text: JSON.stringify({ sources: payload.sources, lines }) };
}

/**
 * Atomically: a service that starts meanwhile reads the old file or the new one.
 * @param {string} path
 * @param {string} text
 */
function writeAtomically(path, text) {
  const draft = `${path}.draft`;
  fs.writeFileSync(draft, text);
  fs.renameSync(draft, path);
}

/**
 * @param {string} folder
 * @param {readonly string[]} kept
 */
function removeOld(folder, kept) {
  for (const name of fs.readdirSync(folder)) {
    const path = join(folder, name);
    const isOld = Date.now() - fs.statSync(path).mtimeMs > KEPT_MS;
    if (isOld && name.includes('.mjs') && !kept.includes(name)) fs.rmSync(path);
  }
}
