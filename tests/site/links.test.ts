import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { findDeadLinks } from '../../site/src/docs/dead-links.ts';
import { Externalizer } from '../../site/src/docs/externalize.ts';
import { rewriteHtml, rewriteMarkdown } from '../../site/src/docs/links.ts';
import { DOCS } from '../../site/src/docs/pages.ts';
import { temporaryDirectory } from '../harness/temporary.ts';

const FILE = 'guide/tenants.md';
const PLACES = { docs: DOCS, repository: 'https://git.example.com/keywright' };

describe('links of the documentation site', () => {
  test('A link to a Markdown file leads to its page, with the anchor', () => {
    assert.equal(
      rewriteHtml('<a href="../reference/errors.md#codes">x</a>', FILE),
      '<a href="/docs/reference/errors#codes">x</a>',
    );
    assert.equal(rewriteHtml('<a href="../index.md">x</a>', FILE), '<a href="/docs/">x</a>');
    assert.equal(
      rewriteHtml('<a href="#settings">x</a>', FILE),
      '<a href="#settings">x</a>',
      'an anchor of the page',
    );
  });

  test('A link to a picture or another file of docs/ leads to its copy on the site', () => {
    assert.equal(
      rewriteHtml('<img src="../images/mark.svg">', FILE),
      '<img src="/docs/images/mark.svg">',
    );
    assert.equal(
      rewriteHtml('<a href="../reference/openapi.json">x</a>', FILE),
      '<a href="/docs/reference/openapi.json">x</a>',
    );
  });

  test('A link that leaves docs/ leads to the repository, also in the Markdown of a page', () => {
    assert.equal(
      rewriteHtml('<a href="../../README.md#quick-start">x</a>', FILE, PLACES),
      `<a href="${PLACES.repository}/blob/main/README.md#quick-start">x</a>`,
    );
    assert.equal(
      rewriteMarkdown('[x](../../examples/) and [y](sessions.md)', FILE, PLACES),
      `[x](${PLACES.repository}/tree/main/examples) and [y](sessions.md)`,
    );
  });

  test('A link that leaves docs/ is text if the repository is not known', () => {
    const unknown = { ...PLACES, repository: undefined };
    const link = '<a href="../../README.md">x</a>';
    assert.equal(rewriteHtml(link, FILE, unknown), '<a >x</a>');
    const markdown = '[x](../../examples/)';
    assert.equal(rewriteMarkdown(markdown, FILE, unknown), markdown);
  });

  test('A link to a file that does not exist fails the build', () => {
    assert.throws(
      () => rewriteHtml('<a href="gone.md">x</a>', FILE),
      /docs\/guide\/tenants\.md links to gone\.md, which does not exist/,
    );
  });

  test('Code that looks like a link is not rewritten', () => {
    const code = 'code `[x](../../gone.md)`\n\n```md\n[x](../../gone.md)\n```\n';
    assert.equal(rewriteMarkdown(code, FILE), code);
  });

  test('Dead links to pages, anchors and pictures are found in the built site', async () => {
    const dist = await temporaryDirectory('site');
    await mkdir(join(dist, 'guide'));
    await writeFile(join(dist, 'index.html'), '<a href="/docs/guide/a#here">x</a>');
    await writeFile(
      join(dist, 'guide/a.html'),
      '<h2 id="here">x</h2><a href="#gone">x</a><a href="/docs/b">x</a><img src="/docs/c.png"><a href="/other">x</a><a href="https://example.com/">x</a><a href="/docs/">x</a>',
    );
    assert.deepEqual(findDeadLinks(dist, '/docs'), [
      'guide/a.html  links to #gone, which has no such anchor',
      'guide/a.html  links to /docs/b, which does not exist',
      'guide/a.html  links to /docs/c.png, which does not exist',
      'guide/a.html  links to /other, which is outside the site',
    ]);
  });

  test('Scripts, styles and style attributes of built pages move to files', () => {
    const externalizer = new Externalizer('/docs/_assets');
    const page = externalizer.page(
      '<script>run()</script><style>p{}</style><p class="a" style="--depth:1">x</p><p style="--depth:1">y</p>',
    );
    const { files } = externalizer.finish();
    assert.match(
      page,
      /^<script src="\/docs\/_assets\/inline\.[\w-]+\.js"><\/script><link rel="stylesheet" href="\/docs\/_assets\/inline\.[\w-]+\.css"><p class="x0 a">x<\/p><p class="x0">y<\/p>$/,
    );
    assert.deepEqual([...files.values()], ['run()', 'p{}', '.x0{--depth:1}']);
  });
});
