import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  checkSearch,
  listQueryOf,
  nextPage,
  pageNumberOf,
  previousPage,
  searchOfText,
  textOfSearch,
  withFilters,
  withoutEmpty,
} from './search.ts';

/** Where the login returns to (contract/src/routes/console.ts). */
const RETURN_TO = /^\/console(\/[\w.~:-]+)*\/?(\?[\w.~:&=%+-]*)?$/;

describe('the query of an address', () => {
  it('The query of an address keeps every text, and is plain enough for the login to return to it', () => {
    for (const value of [
      'ada',
      '7',
      'true',
      'a b',
      'a&b=c',
      "(it's!)*",
      'ada@example.com',
      'ü→日',
    ]) {
      const text = textOfSearch({ email: value });
      assert.deepEqual(searchOfText(text), { email: value });
      assert.match(`/console/t/org_default/users${text}`, RETURN_TO);
    }
  });

  it('The query of an address leaves out what is empty', () => {
    assert.equal(textOfSearch({ email: '', role: undefined }), '');
    assert.deepEqual(withoutEmpty({ email: '', role: 'admin' }), { role: 'admin' });
  });

  it('The query of an address holds only texts', () => {
    assert.deepEqual(checkSearch({ email: 'ada', page: 2, more: { a: 1 } }), { email: 'ada' });
  });
});

describe('a list', () => {
  it('A list returns to its first page after a change of its filters', () => {
    const search = { cursor: 'abc', page: '3', limit: '50', role: 'admin' };
    assert.deepEqual(withFilters(search, { role: '', email: 'ada' }), {
      limit: '50',
      email: 'ada',
    });
  });

  it('A list is requested by its own filters only', () => {
    const query = listQueryOf({ email: 'ada', tab: 'sessions', role: '' }, ['email', 'role']);
    assert.deepEqual(query, { email: 'ada', limit: 25 });
  });

  it('A list is requested by the cursor, or else by the number of the page', () => {
    assert.deepEqual(listQueryOf({ cursor: 'abc', page: '3' }, []), { limit: 25, cursor: 'abc' });
    assert.deepEqual(listQueryOf({ page: '3' }, []), { limit: 25, page: 3 });
    for (const page of ['0', '1', '-2', '1.5', 'x', '99999999']) {
      assert.deepEqual(listQueryOf({ page }, []), { limit: 25 }, page);
    }
  });

  it('A list counts its pages, forward by cursors and back by numbers', () => {
    const second = nextPage('abc', 1);
    assert.deepEqual(listQueryOf(second, []), { limit: 25, cursor: 'abc' });
    assert.equal(pageNumberOf(second, 1), 2);
    assert.equal(pageNumberOf({ cursor: 'abc', page: 'x' }, 1), 1);
    const third = nextPage('def', 2);
    assert.equal(pageNumberOf(third, 1), 3);
    assert.deepEqual(listQueryOf(previousPage(3), []), { limit: 25, page: 2 });
    assert.equal(pageNumberOf(previousPage(3), 2), 2);
    assert.deepEqual(listQueryOf(previousPage(2), []), { limit: 25 });
  });

  it('A list has one of three lengths', () => {
    assert.deepEqual(listQueryOf({ limit: '100' }, []), { limit: 100 });
    for (const limit of ['7', '1000', 'x']) {
      assert.deepEqual(listQueryOf({ limit }, []), { limit: 25 }, limit);
    }
  });
});
