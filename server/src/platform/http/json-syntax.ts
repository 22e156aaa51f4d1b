/** A position in a text. Line and column count from 1, columns in UTF-16 units. */
interface Place {
  readonly line: number;
  readonly column: number;
  /** Whether the text ends before it is complete. */
  readonly isEnd: boolean;
}

const SCALAR = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SPACE = /[ \t\n\r]*/y;
const FIRST_PRINTABLE = 0x20;

/**
 * Returns the position of the first character that violates the JSON grammar (RFC 8259). `JSON.parse` does not always
 * report it.
 */
export function syntaxErrorIn(text: string): Place {
  const scanner = new Scanner(text);
  const before = text.slice(0, scanner.findError());
  return {
    line: before.split('\n').length,
    column: before.length - before.lastIndexOf('\n'),
    isEnd: before.length === text.length,
  };
}

/** Stops at the first grammar violation. The nesting of the text is already limited. */
class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  findError(): number {
    if (this.#value()) this.#skip(SPACE);
    return this.#at;
  }

  #value(): boolean {
    this.#skip(SPACE);
    switch (this.#text.charAt(this.#at)) {
      case '{':
        return this.#list('}', () => this.#member());
      case '[':
        return this.#list(']', () => this.#value());
      case '"':
        return this.#string();
      default:
        return this.#skip(SCALAR);
    }
  }

  #member(): boolean {
    this.#skip(SPACE);
    return this.#string() && this.#take(':') && this.#value();
  }

  #list(end: '}' | ']', next: () => boolean): boolean {
    this.#at += 1;
    if (this.#take(end)) return true;
    do {
      if (!next()) return false;
    } while (this.#take(','));
    return this.#take(end);
  }

  #string(): boolean {
    if (this.#text[this.#at] !== '"') return false;
    this.#at += 1;
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at];
      if (character === '\\') {
        if (!this.#skip(ESCAPE)) return false;
      } else if (this.#text.charCodeAt(this.#at) < FIRST_PRINTABLE) {
        return false;
      } else {
        this.#at += 1;
        if (character === '"') return true;
      }
    }
    return false;
  }

  /** Consumes a character after optional whitespace. */
  #take(character: string): boolean {
    this.#skip(SPACE);
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found) this.#at += found[0].length;
    return found !== null;
  }
}
