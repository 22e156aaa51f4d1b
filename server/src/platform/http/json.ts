import { AppError } from '@keywright/contract/errors';
import { isUtf8 } from '../builtins.ts';

/** The deepest body that a route accepts: metadata of 32 levels, in an object of a list of the body. */
export const MAX_DEPTH = 40;
/** Object members and list elements in one body, together: far above the needs of any route. */
export const MAX_VALUES = 10_000;
/**
 * Object members alone, which cost several times as much as list elements: enough for two metadata objects of the
 * shortest members.
 */
export const MAX_MEMBERS = 5000;

const BYTE_ORDER_MARK = 0xfeff;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/**
 * Parses a JSON body. In addition to invalid JSON, rejects invalid UTF-8 and lone surrogates (each would be replaced
 * by the same character, making two passwords the same), duplicate keys (RFC 8259 §4: unpredictable), and keys that
 * reach the prototype. Nesting and the number of values are checked before parsing.
 * @throws AppError JSON_INVALID, VALIDATION_FAILED
 */
export function readJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw invalid('The body is not valid UTF-8.');
  const decoded = bytes.toString();
  // RFC 8259 §8.1: a parser may ignore a byte order mark.
  const text = decoded.charCodeAt(0) === BYTE_ORDER_MARK ? decoded.slice(1) : decoded;
  const members = countMembers(bytes);
  const value = parse(text);
  if (members > 0 && countKeys(value) !== members) throw invalid('The body has a duplicate key.');
  const half = SURROGATE_ESCAPE.test(text) ? findHalf(value, '') : undefined;
  if (half !== undefined) throw wrong('must not contain a lone surrogate', half);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('JSON_INVALID', { detail: describeError(text), internal: error });
  }
}

function describeError(text: string): string {
  const { line, column, isEnd } = syntaxErrorIn(text);
  if (text.trim() === '') return 'The body is not valid JSON: it is empty.';
  const what = isEnd ? 'it ends too early, at' : 'unexpected character in';
  return `The body is not valid JSON: ${what} line ${line}, column ${column}.`;
}

function invalid(detail: string): AppError {
  return new AppError('JSON_INVALID', { detail });
}

/**
 * Returns the number of object members in a JSON text, including duplicate keys. For invalid JSON the result is
 * meaningless. Works on bytes, not characters: in V8, a loop over a long string can become hundreds of times slower
 * once optimized.
 * @throws AppError VALIDATION_FAILED as soon as the text exceeds a limit
 */
function countMembers(bytes: Buffer): number {
  let depth = 0;
  let values = 0;
  let members = 0;
  let stringAt = 0;
  let fieldAt = -1;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at] ?? 0) {
      case QUOTE:
        stringAt = at;
        at = endOfString(bytes, at + 1);
        break;
      case COLON:
        members += 1;
        if (members > MAX_MEMBERS) throw wrong(MANY_MEMBERS);
        if (depth === 1) fieldAt = stringAt;
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        depth += 1;
        values += 1;
        if (depth > MAX_DEPTH) throw wrong(DEEP, fieldOf(bytes, fieldAt));
        if (values > MAX_VALUES) throw wrong(MANY);
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth -= 1;
        break;
      case COMMA:
        values += 1;
        if (values > MAX_VALUES) throw wrong(MANY);
        break;
      default:
    }
  }
  return members;
}

/** Index of the quote that ends a string, or the end of the text. */
function endOfString(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

const DEEP = `must not be nested more than ${MAX_DEPTH} levels deep`;
const MANY = `must not contain more than ${MAX_VALUES} values`;
const MANY_MEMBERS = `must not contain more than ${MAX_MEMBERS} fields`;

function wrong(message: string, path = ''): AppError {
  return new AppError('VALIDATION_FAILED', { errors: [{ path, message }] });
}

/** The field that a key belongs to, as a JSON pointer. */
function fieldOf(bytes: Buffer, keyAt: number): string {
  const key = bytes.toString('latin1', Math.max(keyAt, 0), keyAt + 66);
  const name = /^"([a-z_]{1,64})"/.exec(key)?.[1];
  return name === undefined ? '' : `/${name}`;
}

/** Counts the keys of all objects in a value of limited depth. @throws AppError JSON_INVALID */
function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let keys = 0;
  if (Array.isArray(value)) {
    for (const item of value) keys += countKeys(item);
    return keys;
  }
  const fields = value as Readonly<Record<string, unknown>>;
  for (const key in fields) {
    if (reachesPrototype(key, fields[key]))
      throw invalid(`The body contains the forbidden key ${key}.`);
    keys += 1 + countKeys(fields[key]);
  }
  return keys;
}

function reachesPrototype(key: string, value: unknown): boolean {
  if (key === '__proto__') return true;
  return (
    key === 'constructor' &&
    typeof value === 'object' &&
    value !== null &&
    Object.hasOwn(value, 'prototype')
  );
}

/** Returns the position of a lone surrogate as a JSON pointer; for a key, the position of its object. */
function findHalf(value: unknown, path: string): string | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const found = key.isWellFormed() ? findHalf(inner, `${path}/${key}`) : path;
    if (found !== undefined) return found;
  }
  return undefined;
}

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
