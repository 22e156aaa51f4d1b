// Builds the service into a few files, which start in a third of the time that a thousand take.

import * as fs from 'node:fs';
import { SourceMap } from 'node:module';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { prepareDatabase } from './prepared-database.mjs';
import { buildFolder, digestOfSources, findBuild } from './sources.mjs';

const ENTRY = 'start';
/** Not bundled: native packages, files that are not JavaScript, and packages that a start does not load. */
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
/** Reads the migrations and the functions of the database. */
const SCHEMA_FILES = 'server/src/platform/db/schema-files.ts';
/** Required by packages, but not used at startup. */
const WHEN_USED = /^(?:node:http2|node:https|semver)$/;
/** A running service can still load files of earlier builds: those of the previous build are kept, others for a day. */
const RETENTION_MS = 24 * 60 * 60 * 1000;

/**
 * Builds the service from its sources, for `npm start`, and prepares an embedded database.
 * @param {string} root of the clone
 * @param {(message: string) => void} onWarning called when no database could be prepared: a first start takes longer
 * @throws when a source has an error, or the folder cannot be written
 */
export async function buildService(root, onWarning) {
  const [, problem] = await Promise.all([
    buildCode(root),
    prepareDatabase(root).catch((/** @type {Error} */ error) => error.message),
  ]);
  if (problem !== undefined) onWarning(`the embedded database was not prepared: ${problem}`);
}

/** @param {string} root */
async function buildCode(root) {
  const folder = buildFolder(root);
  const stamp = join(folder, 'build.json');
  const before = findBuild(root)?.files ?? [];
  // Before reading them: a source edited during the build makes the next setup build again.
  const digest = digestOfSources(root);
  const bundled = await bundle({
    root,
    placedIn: folder,
    entryPoints: { [ENTRY]: 'server/src/start.ts' },
  });
  fs.mkdirSync(folder, { recursive: true });
  fs.rmSync(stamp, { force: true });
  for (const [name, text] of bundled) writeAtomically(join(folder, name), text);
  const names = [...bundled.keys()];
  writeAtomically(stamp, JSON.stringify({ digest, files: names }));
  removeOld(folder, [...names, ...before]);
}

/**
 * @typedef {object} BundleOptions
 * @property {string} root of the clone
 * @property {string} placedIn the folder of the clone for the files, which find other files relative to it
 * @property {Record<string, string>} entryPoints name of an output without its extension → source
 */

/**
 * @param {BundleOptions} options
 * @returns {Promise<ReadonlyMap<string, string>>} the files by name, each with its source positions in a `.json` file
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
    define: { SCHEMA_VERSION: JSON.stringify(await versionOfSchema(root)) },
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 1,
    write: false,
    sourcemap: 'external',
    sourcesContent: false,
    tsconfigRaw: { compilerOptions: { target: 'esnext', verbatimModuleSyntax: true } },
    logLevel: 'silent',
    plugins: [
      { name: 'where sources are', setup: (on) => keepPlaces(on, root, placedIn) },
      { name: 'modules when they are used', setup: loadWhenUsed },
    ],
  });
  const outputs = new Map(outputFiles.map(({ path, text }) => [relative(placedIn, path), text]));
  const files = [...outputs].filter(([name]) => !name.endsWith('.map'));
  return new Map(
    files.flatMap(([name, text]) => {
      const places = placesOf(text, outputs.get(`${name}.map`) ?? '');
      return [
        [name, withWholeStrings(text)],
        [`${name}.json`, JSON.stringify(places)],
      ];
    }),
  );
}

/**
 * Returns the schema version of the current files. A start would read all of them to find that the database has it.
 * @param {string} root
 * @returns {Promise<string>}
 */
async function versionOfSchema(root) {
  const source = join(root, SCHEMA_FILES);
  const { outputFiles } = await build({
    entryPoints: [source],
    bundle: true,
    format: 'esm',
    platform: 'node',
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(source).href) },
    write: false,
    logLevel: 'silent',
  });
  const { readSchemaFiles } = await import(
    `data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`
  );
  return readSchemaFiles().version;
}

/** The end of a line within a string: an odd number of backslashes. */
const CONTINUED = /(?<!\\)((?:\\\\)*)\\$/;

/**
 * Joins strings again: a short line limit also breaks each string after every character, a third of the text.
 * @param {string} text
 */
function withWholeStrings(text) {
  return text.replaceAll(new RegExp(`${CONTINUED.source}\n`, 'gm'), '$1');
}

/**
 * `import.meta.url` remains the path of the source, because migrations are next to the sources.
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
 * Replaces a module with a proxy that loads it when it is used.
 * @param {import('esbuild').PluginBuild} on
 */
function loadWhenUsed(on) {
  const namespace = 'when used';
  on.onResolve({ filter: WHEN_USED }, ({ path, namespace: from, resolveDir }) => {
    if (from !== namespace) return { path, namespace, pluginData: resolveDir };
    return path.startsWith('node:') ? { path, external: true } : undefined;
  });
  on.onLoad({ filter: /./, namespace }, ({ path, pluginData: resolveDir }) => ({
    contents: `module.exports = new Proxy({}, { get: (_, name) => require('${path}')[name] });`,
    resolveDir,
  }));
}

/**
 * Returns the source line of each line of a built file, as server/src/stack-places.ts reads it.
 * @param {string} text before its strings are joined again
 * @param {string} map of that text
 */
function placesOf(text, map) {
  const payload = JSON.parse(map);
  const sourceMap = new SourceMap(payload);
  const places = new Map(
    payload.sources.map((/** @type {string} */ source, /** @type {number} */ at) => [source, at]),
  );
  const built = text.split('\n');
  const lines = built.flatMap((content, line) => {
    if (CONTINUED.test(built[line - 1] ?? '')) return [];
    const entry = sourceMap.findEntry(line, content.search(/\S|$/));
    const isOnLine = 'generatedLine' in entry && entry.generatedLine === line;
    return isOnLine ? [places.get(entry.originalSource) ?? -1, entry.originalLine + 1] : [-1, 0];
  });
  return { sources: payload.sources, lines };
}

/**
 * Writes atomically: a service that starts at the same time reads the old file or the new one.
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
 * @param {readonly string[]} retained
 */
function removeOld(folder, retained) {
  for (const name of fs.readdirSync(folder)) {
    const path = join(folder, name);
    const isOld = Date.now() - fs.statSync(path).mtimeMs > RETENTION_MS;
    if (isOld && name.includes('.mjs') && !retained.includes(name)) fs.rmSync(path);
  }
}
