import { ExportProblem, type Found, recordOf, requireBounded, type Reader } from './source.ts';

/** Reads the objects of a JSON list. The file is the list, or an object with the list in the field `within`. */
export function createListReader(within: string | undefined): Reader {
  const state = new ListState(within);
  return {
    push: (piece) => state.push(piece),
    end: () => state.end(),
  };
}

/** Before the list, inside it, or after it. */
type Phase = 'before' | 'in' | 'behind';

class ListState {
  readonly #within: string | undefined;
  #phase: Phase = 'before';
  /** The text that was read but not consumed yet. */
  #text = '';
  #at = 0;
  /** The start of the current quoted string and of the current list element. */
  #quote = 0;
  #element: number | undefined;
  #isQuoted = false;
  #isEscaped = false;
  /** The number of open brackets; inside the list, only those of the current element. */
  #depth = 0;
  /** The last quoted string in the object around the list, and the last character after it. */
  #name = '';
  #last = '';
  #count = 0;

  constructor(within: string | undefined) {
    this.#within = within;
  }

  push(piece: string): Found[] {
    this.#text += piece;
    const found: Found[] = [];
    for (; this.#at < this.#text.length && this.#phase !== 'behind'; this.#at += 1) {
      const character = this.#text[this.#at] ?? '';
      if (this.#isQuoted) this.#inQuotes(character);
      else if (character === '"') this.#begin();
      else if (this.#phase === 'before') this.#seek(character);
      else found.push(...this.#collect(character));
    }
    this.#forget();
    return found;
  }

  end(): Found[] {
    if (this.#phase === 'behind') return [];
    const where = this.#within === undefined ? '' : `, in the field ${this.#within} of an object`;
    throw new ExportProblem(`Expected a list of users as JSON${where}.`);
  }

  #begin(): void {
    this.#isQuoted = true;
    this.#quote = this.#at;
    if (this.#phase === 'in') this.#element ??= this.#at;
  }

  #inQuotes(character: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (character === '\\') this.#isEscaped = true;
    else if (character === '"') {
      this.#isQuoted = false;
      if (this.#phase === 'before') {
        this.#name = this.#text.slice(this.#quote + 1, this.#at);
        this.#last = '"';
      }
    }
  }

  /** Looks for the bracket that opens the list. */
  #seek(character: string): void {
    if (/\s/.test(character)) return;
    const isField = this.#depth === 1 && this.#last === ':' && this.#name === this.#within;
    if (character === '[' && (this.#depth === 0 || isField)) {
      this.#phase = 'in';
      this.#depth = 0;
      return;
    }
    if (character === '{' || character === '[') this.#depth += 1;
    if (character === '}' || character === ']') this.#depth -= 1;
    this.#last = character;
  }

  #collect(character: string): Found[] {
    const isEnd = this.#depth === 0 && (character === ',' || character === ']');
    if (isEnd) {
      const text = this.#element === undefined ? '' : this.#text.slice(this.#element, this.#at);
      this.#element = undefined;
      if (character === ']') this.#phase = 'behind';
      return text === '' ? [] : [{ at: (this.#count += 1), record: recordOf(text) }];
    }
    if (character === '{' || character === '[') this.#depth += 1;
    if (character === '}' || character === ']') this.#depth -= 1;
    if (!/\s/.test(character)) this.#element ??= this.#at;
    return [];
  }

  /** Drops consumed text, and retains the unfinished element or name. */
  #forget(): void {
    const needed = this.#element ?? (this.#isQuoted ? this.#quote : this.#at);
    const start = Math.min(needed, this.#text.length);
    this.#text = this.#text.slice(start);
    requireBounded(this.#text);
    this.#at -= start;
    this.#quote -= start;
    if (this.#element !== undefined) this.#element -= start;
  }
}
