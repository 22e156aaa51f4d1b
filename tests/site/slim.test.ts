import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { slimContent, slimPage } from '../../site/src/docs/slim.ts';

describe('the size of pages of the documentation site', () => {
  test('Footnotes keep their links, with one back link each', () => {
    assert.equal(
      slimContent(
        '<sup><a href="#user-content-fn-1" id="user-content-fnref-1-2" data-footnote-ref aria-describedby="footnote-label">1</a></sup>',
      ),
      '<sup><a href="#fn-1" id="ref-1-2">1</a></sup>',
    );
    assert.equal(
      slimContent(
        '<li id="user-content-fn-1"><p>x <a href="#user-content-fnref-1" class="b">↩</a> <a href="#user-content-fnref-1-2" class="b">↩<sup>2</sup></a></p></li>',
      ),
      '<li id="fn-1"><p>x <a href="#ref-1" aria-label="To 1">↩</a></p></li>',
    );
  });

  test('Tables get a frame that scrolls by keyboard, and cells without text are not headers', () => {
    assert.equal(
      slimContent('<table>\n<thead>\n<tr>\n<th></th>\n<th>x</th>\n</tr>\n</thead></table>'),
      '<div class="table-frame" tabindex="0"><table><thead><tr><td></td><th>x</th></tr></thead></table></div>',
    );
  });

  test('The table of contents keeps its links and texts', () => {
    const scopes = new Map<string, string>();
    assert.equal(
      slimPage(
        '<starlight-toc><ul class="x4 astro-jugkfwgx"><li class="x4 astro-jugkfwgx"><a href="#a" class="x4 astro-jugkfwgx"><span class="x4 astro-jugkfwgx">A</span></a></li></ul></starlight-toc>',
        scopes,
      ),
      '<starlight-toc><ul class="x4 a0"><li><a href="#a" class="x4 a0">A</a></li></ul></starlight-toc>',
    );
    assert.deepEqual([...scopes], [['astro-jugkfwgx', 'a0']]);
  });
});
