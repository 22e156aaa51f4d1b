// Finds where a text is not valid JSON. Browsers describe this in their own words, in English, or not at all.

export interface Fault {
  /** The text ends too early, has an unexpected character, repeats a field name, or is nested too deeply. */
  readonly kind: 'end' | 'unexpected' | 'twice' | 'deep';
  /** In UTF-16 code units. */
  readonly at: number;
  /** The character, or the name of the field. */
  readonly what: string;
}

class Found extends Error {
  readonly fault: Fault;

  constructor(kind: Fault['kind'], at: number, what = '') {
    super(kind);
    this.fault = { kind, at, what };
  }
}

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /(?:true|false|null)/y;
const TEXT = /"(?:[^"\\\p{Cc}]|[\u007F-\u009F]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy;
/** Matches a string as far as it is valid. */
const PARTIAL_TEXT = /"(?:[^"\\\p{Cc}]|[\u007F-\u009F]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/uy;

/** Finds the first fault of a text (RFC 8259). @param most levels of lists and objects */
export function faultOf(text: string, most: number): Fault | undefined {
  const reader = new Reader(text, most);
  try {
    reader.read();
  } catch (error) {
    if (error instanceof Found) return error.fault;
    throw error;
  }
  return undefined;
}

class Reader {
  readonly #text: string;
  readonly #most: number;
  #at = 0;

  constructor(text: string, most: number) {
    this.#text = text;
    this.#most = most;
  }

  /** @throws Found */
  read(): void {
    this.#value(1);
    if (this.#at < this.#text.length) this.#fail();
  }

  #value(level: number): void {
    this.#take(SPACE);
    const next = this.#text[this.#at];
    if (next === '{') this.#list(level, '}', (names) => this.#member(level, names));
    else if (next === '[') this.#list(level, ']', () => this.#value(level + 1));
    else if (next === '"') this.#string();
    else if (this.#take(NUMBER) === '' && this.#take(WORD) === '') this.#fail();
    this.#take(SPACE);
  }

  #list(level: number, end: string, item: (names: Set<string>) => void): void {
    if (level > this.#most) throw new Found('deep', this.#at);
    const names = new Set<string>();
    this.#at += 1;
    this.#take(SPACE);
    if (this.#text[this.#at] === end) {
      this.#at += 1;
      return;
    }
    for (;;) {
      item(names);
      const next = this.#text[this.#at];
      if (next !== ',' && next !== end) this.#fail();
      this.#at += 1;
      if (next === end) return;
    }
  }

  #member(level: number, names: Set<string>): void {
    this.#take(SPACE);
    const start = this.#at;
    const name = this.#string();
    if (names.has(name)) throw new Found('twice', start, name);
    names.add(name);
    this.#take(SPACE);
    if (this.#text[this.#at] !== ':') this.#fail();
    this.#at += 1;
    this.#value(level + 1);
  }

  #string(): string {
    const text = this.#take(TEXT);
    if (text !== '') return String(JSON.parse(text));
    this.#take(PARTIAL_TEXT);
    this.#fail();
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ''] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }

  #fail(): never {
    const code = this.#text.codePointAt(this.#at);
    if (code === undefined) throw new Found('end', this.#at);
    throw new Found('unexpected', this.#at, String.fromCodePoint(code));
  }
}

/** Returns a position for people, who count from one. A column is a character. */
export function placeOf(
  text: string,
  at: number,
): { readonly line: number; readonly column: number } {
  const lines = text.slice(0, at).split('\n');
  return { line: lines.length, column: Array.from(lines.at(-1) ?? '').length + 1 };
}
