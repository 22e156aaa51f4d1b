import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  areSame,
  filtersOf,
  flawOf,
  MOST_NAME,
  MOST_VIEWS,
  nameOf,
  renamed,
  type View,
  viewsOf,
  without,
} from './views.ts';

const NAMES = ['action', 'outcome'];
const view = (name: string): View => ({ name, filters: { outcome: 'failure' } });
const storedViews = (...views: unknown[]) => viewsOf(JSON.stringify(views), NAMES);

describe('a saved view', () => {
  it('A saved view has a name of one line that cannot reverse other text', () => {
    assert.equal(nameOf('  Failures\n\tof\u2028 Ada \u0000'), 'Failures of Ada');
    assert.equal(nameOf('a\u202Eb\u2066c'), 'abc');
    assert.equal(nameOf('الإخفاقات 👩‍💻'), 'الإخفاقات 👩‍💻');
    assert.equal(nameOf('e\u0301'), '\u00e9');
    for (const nothing of ['', ' ', '\u200b\u200d', '\u202e', '\ufeff']) {
      assert.equal(nameOf(nothing), '', JSON.stringify(nothing));
    }
  });

  it('A saved view has only the filters of its list, and none longer than any meaningful one', () => {
    const search = { action: 'user.created', page: '3', outcome: '', cursor: 'x' };
    assert.deepEqual(filtersOf(search, NAMES), { action: 'user.created' });
    assert.deepEqual(filtersOf({ action: 'x'.repeat(257) }, NAMES), {});
    assert.ok(areSame({ a: '1', b: '2' }, { b: '2', a: '1' }));
    assert.ok(!areSame({ a: '1' }, { a: '1', b: '2' }));
    assert.ok(!areSame({ a: '1' }, { b: '1' }));
  });

  it('A saved view is stored once by each name, up to a maximum number of views', () => {
    assert.equal(flawOf([], ''), 'empty');
    assert.equal(flawOf([], 'x'.repeat(MOST_NAME)), undefined);
    assert.equal(flawOf([], 'x'.repeat(MOST_NAME + 1)), 'long');
    assert.equal(flawOf([view('Ada')], 'Ada'), 'taken');
    assert.equal(flawOf([view('Ada')], 'Ada', 'Ada'), undefined);
    assert.equal(flawOf([view('Ada'), view('Bob')], 'Ada', 'Bob'), 'taken');
    const full = Array.from({ length: MOST_VIEWS }, (_, place) => view(`${place}`));
    assert.equal(flawOf(full, 'one more'), 'full');
    assert.equal(flawOf(full, 'one more', '3'), undefined);
  });

  it('A saved view is renamed at its position and deleted', () => {
    const views = [view('a'), view('b'), view('c')];
    assert.deepEqual(renamed(views, 'b', 'd'), [view('a'), view('d'), view('c')]);
    assert.deepEqual(without(views, 'b'), [view('a'), view('c')]);
  });
});

describe('what a browser kept', () => {
  it('The views stored in a browser are read as they were written', () => {
    assert.deepEqual(storedViews(view('a'), view('b')), [view('a'), view('b')]);
    assert.deepEqual(viewsOf(undefined, NAMES), []);
  });

  it('The views stored in a browser are ignored where something else wrote them', () => {
    for (const text of ['', '{', 'null', '1', '"a"', '{"length":3}', '[[],null,1,"a",{}]']) {
      assert.deepEqual(viewsOf(text, NAMES), [], text);
    }
    const others = [
      { name: 1, filters: { outcome: 'failure' } },
      { name: 'a\nb', filters: { outcome: 'failure' } },
      { name: 'x'.repeat(MOST_NAME + 1), filters: { outcome: 'failure' } },
      { name: '\u202ea', filters: { outcome: 'failure' } },
      { name: 'of no filter', filters: {} },
      { name: 'of another list', filters: { email: 'ada' } },
      { name: 'of no text', filters: { outcome: { a: 1 } } },
      { name: 'of nothing', filters: null },
      { name: 'of a prototype', filters: JSON.parse('{"__proto__":{"outcome":"failure"}}') },
    ];
    assert.deepEqual(storedViews(...others), []);
  });

  it('The views stored in a browser have each name once, up to a maximum number', () => {
    assert.deepEqual(storedViews(view('a'), { ...view('a'), filters: { action: 'x' } }), [
      view('a'),
    ]);
    const many = Array.from({ length: MOST_VIEWS + 5 }, (_, place) => view(`${place}`));
    assert.equal(storedViews(...many).length, MOST_VIEWS);
  });
});
