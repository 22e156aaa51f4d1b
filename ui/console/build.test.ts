import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { buildConsole, type Chunk } from './build.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const KB = 1024;
/** After gzip. */
const MOST_SCRIPT = 220 * KB;
const MOST_STYLE = 14 * KB;
const MOST_FONT = 25 * KB;
/** After Brotli, as every browser receives it. */
const MOST_ICONS = 3 * KB;
/** The maximum that the first opened screen adds, including the parts that it shares with others. */
const MOST_CHUNK = 32 * KB;
/** The texts of one language, which are loaded once, before the first screen. Arabic takes the most bytes. */
const MOST_TEXTS = 40 * KB;
const LANGUAGE = /^[a-z]{2}-\w+\.js$/;

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

interface Manifest {
  readonly digest: string;
  readonly sources: string;
  readonly files: Readonly<Record<string, { readonly file: string; readonly type: string }>>;
}

describe('the build of the console', () => {
  const outdir = mkdtempSync(join(tmpdir(), 'keywright-console-'));
  let chunks: readonly Chunk[];
  let manifest: Manifest;
  let page: string;
  const read = (name: string) => readFileSync(join(outdir, name));

  before(async () => {
    chunks = await buildConsole({ root: ROOT, outdir, sources: 'a digest' });
    manifest = JSON.parse(read('manifest.json').toString()) as Manifest;
    page = read('index.html').toString();
  });
  after(() => rmSync(outdir, { recursive: true }));

  it('The build of the console lists every file with its type, and has each in two compressed forms', () => {
    assert.equal(manifest.sources, 'a digest');
    const files = Object.entries(manifest.files);
    assert.equal(files.length, chunks.length);
    for (const [path, { file, type }] of files) {
      assert.equal(path, `/console/${file}`);
      const [, end = ''] = /^assets\/[a-z]+(?:-[a-z]+)*-[0-9A-Z]{8}\.([a-z0-9]+)$/.exec(file) ?? [];
      assert.equal(type, TYPES[end], file);
      assert.deepEqual(gunzipSync(read(`${file}.gz`)), read(file));
      assert.deepEqual(brotliDecompressSync(read(`${file}.br`)), read(file));
    }
  });

  it('The page of the console loads only listed files, with no script, style or attribute that a strict policy refuses', () => {
    const loaded = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path);
    assert.ok(loaded.length >= 2);
    for (const path of loaded) assert.ok(path in manifest.files, path);
    assert.doesNotMatch(page, /<style|\sstyle=|\son\w+=|<script(?![^>]* src=)/);
  });

  it('The first view and each screen of the console are within their size limits', () => {
    const first = (end: string) =>
      chunks
        .filter(({ name, isFirst }) => isFirst && name.endsWith(end))
        .reduce((sum, { gzipped }) => sum + gzipped, 0);
    assert.ok(first('.js') > 0 && first('.js') <= MOST_SCRIPT, `${first('.js')} bytes of script`);
    assert.ok(first('.css') > 0 && first('.css') <= MOST_STYLE, `${first('.css')} bytes of style`);
    const icons = chunks.find(({ name }) => name.endsWith('.svg'))?.name;
    const bytes = read(`assets/${icons}.br`).length;
    assert.ok(bytes <= MOST_ICONS, `${bytes} bytes of icons`);
    assert.ok(
      first('.woff2') > 0 && first('.woff2') <= MOST_FONT,
      `${first('.woff2')} bytes of font`,
    );
    for (const { name, gzipped, isFirst } of chunks) {
      const most = LANGUAGE.test(name) ? MOST_TEXTS : MOST_CHUNK;
      assert.ok(isFirst || gzipped <= most, `${name} has ${gzipped} bytes`);
    }
  });

  it('The build of the console is the same for the same sources', async () => {
    const again = mkdtempSync(join(tmpdir(), 'keywright-console-'));
    await buildConsole({ root: ROOT, outdir: again, sources: 'a digest' });
    assert.deepEqual(readFileSync(join(again, 'manifest.json')), read('manifest.json'));
    rmSync(again, { recursive: true });
  });

  it('The build of the console keeps the files of the previous build for open pages, and no older ones', async () => {
    const assets = join(outdir, 'assets');
    const place = (name: string) => writeFileSync(join(assets, name), '');
    place('before-00000000.js');
    place('older-00000000.js');
    const previous = { ...manifest, files: { '/console/assets/before-00000000.js': {} } };
    writeFileSync(join(outdir, 'manifest.json'), JSON.stringify(previous));
    await buildConsole({ root: ROOT, outdir });
    const names = readdirSync(assets);
    assert.ok(names.includes('before-00000000.js'));
    assert.ok(!names.includes('older-00000000.js'));
    for (const path of Object.keys(manifest.files)) assert.ok(names.includes(basename(path)));
  });
});
