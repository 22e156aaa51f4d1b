// The search dialog. The index is loaded when it opens for the first time.

interface Fragment {
  readonly url: string;
  readonly excerpt: string;
  readonly meta: { readonly title: string };
  readonly sub_results: readonly { readonly url: string; readonly title: string }[];
}

interface Result {
  readonly id: string;
  readonly score: number;
  data(): Promise<Fragment>;
}

interface Pagefind {
  options(options: object): Promise<void>;
  search(term: string): Promise<{ readonly results: readonly Result[] }>;
}

const SHOWN = 8;
const SHOWN_SECTIONS = 3;
/** A word of a title or a keyword of a guide counts more than one of its text. */
const RANKING = { metaWeights: { title: 1, topics: 6 } };
/** Words that name nothing to search for. */
const STOP_WORDS = new Set(
  'a an and are be can do does for from get how i in is it my of on or the to use what when with'.split(
    ' ',
  ),
);

class SiteSearch extends HTMLElement {
  readonly #open = this.querySelector('button') as HTMLButtonElement;
  readonly #dialog = this.querySelector('dialog') as HTMLDialogElement;
  readonly #input = this.querySelector('input') as HTMLInputElement;
  readonly #status = this.querySelector('.search-status') as HTMLElement;
  readonly #results = this.querySelector('.search-results') as HTMLElement;
  #pagefind: Promise<Pagefind> | undefined;

  connectedCallback(): void {
    this.#open.disabled = false;
    this.#open.addEventListener('click', () => this.#show());
    this.#input.addEventListener('input', () => void this.#search(this.#input.value));
    this.#dialog.addEventListener('click', ({ target }) => {
      if (target === this.#dialog) this.#dialog.close();
    });
    this.#results.addEventListener('click', () => this.#dialog.close());
    this.#dialog.querySelector('form')?.addEventListener('submit', (event) => {
      // Enter opens the first result; the button closes the dialog.
      if (event.submitter !== null && document.activeElement === event.submitter) return;
      event.preventDefault();
      this.#results.querySelector('a')?.click();
    });
    document.addEventListener('keydown', (event) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.#show();
    });
  }

  #show(): void {
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#input.select();
    void this.#load();
  }

  #load(): Promise<Pagefind> {
    this.#pagefind ??= load();
    return this.#pagefind;
  }

  async #search(term: string): Promise<void> {
    const pagefind = await this.#load();
    const results = await resultsOf(pagefind, term);
    const fragments = await Promise.all(results.map((result) => result.data()));
    // A later search replaced this one.
    if (term !== this.#input.value) return;
    this.#results.replaceChildren(...fragments.map(itemOf));
    const isEmpty = fragments.length === 0 && term.trim() !== '';
    this.#status.textContent = isEmpty ? `No results for “${term}”.` : countOf(fragments.length);
    this.dataset['term'] = term;
  }
}

async function load(): Promise<Pagefind> {
  const base = import.meta.env.BASE_URL.replace(/\/$/, '');
  const pagefind = (await import(/* @vite-ignore */ `${base}/pagefind/pagefind.js`)) as Pagefind;
  await pagefind.options({ baseUrl: '/', excerptLength: 24, ranking: RANKING });
  return pagefind;
}

/** Pages with all words of a search and, after them, those with some of the words. */
async function resultsOf(pagefind: Pagefind, term: string): Promise<Result[]> {
  const words = term
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '' && !STOP_WORDS.has(word));
  const { results } = await pagefind.search(words.length > 0 ? words.join(' ') : term);
  const complete = results.slice(0, SHOWN);
  if (complete.length === SHOWN || words.length < 2) return complete;
  const partial = await partialResults(pagefind, words);
  const found = new Set(complete.map(({ id }) => id));
  return [...complete, ...partial.filter(({ id }) => !found.has(id))].slice(0, SHOWN);
}

/** Pages with some of the words. A word counts more the fewer pages have it. */
async function partialResults(pagefind: Pagefind, words: readonly string[]): Promise<Result[]> {
  const found = await Promise.all(words.map((word) => pagefind.search(word)));
  const scores = new Map<string, { result: Result; score: number }>();
  for (const { results } of found) {
    for (const result of results) {
      const score = result.score / Math.log2(results.length + 1);
      const before = scores.get(result.id)?.score ?? 0;
      scores.set(result.id, { result, score: before + score });
    }
  }
  const ranked = [...scores.values()].toSorted((a, b) => b.score - a.score);
  return ranked.map(({ result }) => result);
}

function countOf(count: number): string {
  if (count === 0) return '';
  return count === 1 ? '1 result' : `${count} results`;
}

function itemOf({ url, excerpt, meta, sub_results: sections }: Fragment): HTMLElement {
  const item = document.createElement('li');
  item.append(linkTo(url, meta.title, 'search-page'));
  const text = document.createElement('p');
  // Pagefind escapes the text, and marks the words that match.
  text.innerHTML = excerpt;
  item.append(text);
  const inside = sections
    .filter((section) => /#(?!_top)/.test(section.url))
    .slice(0, SHOWN_SECTIONS);
  if (inside.length > 0) {
    const list = document.createElement('ul');
    for (const section of inside) {
      const entry = document.createElement('li');
      entry.append(linkTo(section.url, section.title, 'search-section'));
      list.append(entry);
    }
    item.append(list);
  }
  return item;
}

function linkTo(url: string, title: string, name: string): HTMLAnchorElement {
  const link = document.createElement('a');
  link.href = url;
  link.textContent = title;
  link.className = name;
  return link;
}

customElements.define('site-search', SiteSearch);
