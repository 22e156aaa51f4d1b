// What scripts add to the pages of the reference: the search, copying, and one language for all samples.

import { EXAMPLE_ORIGIN } from '../src/example-origin.ts';
import { match, type SearchEntry } from './match.ts';

const LANGUAGE_KEY = 'keywright-sample-language';
const COPIED_MS = 2000;

function showOrigin(): void {
  for (const code of document.querySelectorAll('.sample code')) {
    code.textContent = (code.textContent ?? '').replaceAll(EXAMPLE_ORIGIN, location.origin);
  }
}

function addCopyButtons(): void {
  for (const sample of document.querySelectorAll<HTMLElement>('.sample')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => {
      const shown = [...sample.querySelectorAll('pre')].find((pre) => pre.checkVisibility());
      void copy(button, shown?.textContent ?? '');
    });
    sample.append(button);
  }
}

async function copy(button: HTMLButtonElement, text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  button.textContent = 'Copied';
  setTimeout(() => (button.textContent = 'Copy'), COPIED_MS);
}

function selectLanguage(language: string): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('.sample input')) {
    input.checked = input.value === language;
  }
}

function rememberLanguage(): void {
  try {
    const stored = localStorage.getItem(LANGUAGE_KEY) ?? '';
    if (/^(?:curl|js|python|go)$/.test(stored)) selectLanguage(stored);
  } catch {
    // A browser that stores nothing starts with curl.
  }
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== 'radio') return;
    const before = target.getBoundingClientRect().top;
    selectLanguage(target.value);
    // Samples above become longer or shorter: the selected tab stays where it was.
    scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' });
    try {
      localStorage.setItem(LANGUAGE_KEY, target.value);
    } catch {
      // The language then applies to this page only.
    }
  });
}

/** The search field and its list. */
class Search {
  readonly #input: HTMLInputElement;
  readonly #list: HTMLElement;
  readonly #status: HTMLElement;
  #entries: Promise<readonly SearchEntry[]> | undefined;
  #selected = 0;

  static addTo(find: HTMLElement): Search {
    return new Search(find);
  }

  constructor(find: HTMLElement) {
    this.#input = find.querySelector('input') as HTMLInputElement;
    this.#list = find.querySelector('#found') as HTMLElement;
    this.#status = find.querySelector('[role=status]') as HTMLElement;
    find.hidden = false;
    this.#input.addEventListener('input', () => void this.#show());
    this.#input.addEventListener('focus', () => void this.#show());
    this.#input.addEventListener('keydown', (event) => this.#press(event));
    find.addEventListener('focusout', ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && find.contains(relatedTarget))) this.#close();
    });
    this.#list.addEventListener('click', () => this.#close());
    addEventListener('keydown', (event) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      this.#input.select();
    });
  }

  async #show(): Promise<void> {
    this.#entries ??= fetch('/reference/search.json').then((response) => response.json());
    const found = match(await this.#entries, this.#input.value);
    this.#list.replaceChildren(...found.map(optionOf));
    const isOpen = found.length > 0 && document.activeElement === this.#input;
    this.#list.hidden = !isOpen;
    this.#input.ariaExpanded = String(isOpen);
    const isEmpty = this.#input.value.trim() === '';
    this.#status.textContent = isEmpty ? '' : `${found.length} results`;
    this.#select(0);
  }

  #select(index: number): void {
    const options = [...this.#list.children];
    this.#selected = Math.max(0, Math.min(index, options.length - 1));
    for (const [at, option] of options.entries()) {
      option.ariaSelected = String(at === this.#selected);
    }
    const option = this.#list.hidden ? undefined : options[this.#selected];
    if (option) this.#input.setAttribute('aria-activedescendant', option.id);
    else this.#input.removeAttribute('aria-activedescendant');
    option?.scrollIntoView({ block: 'nearest' });
  }

  #press(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown') this.#select(this.#selected + 1);
    else if (event.key === 'ArrowUp') this.#select(this.#selected - 1);
    else if (event.key === 'Escape') this.#close();
    else if (event.key === 'Enter')
      (this.#list.children[this.#selected] as HTMLElement | undefined)?.click();
    else return;
    event.preventDefault();
  }

  #close(): void {
    this.#list.hidden = true;
    this.#input.ariaExpanded = 'false';
    this.#input.removeAttribute('aria-activedescendant');
  }
}

function optionOf([url, title, method, path]: SearchEntry, index: number): HTMLElement {
  const option = document.createElement('a');
  option.href = url;
  option.id = `found-${index}`;
  option.role = 'option';
  option.tabIndex = -1;
  const detail = document.createElement('small');
  detail.textContent = `${method} ${path}`;
  option.append(title, detail);
  return option;
}

showOrigin();
addCopyButtons();
rememberLanguage();
const find = document.querySelector<HTMLElement>('.find');
if (find) Search.addTo(find);
