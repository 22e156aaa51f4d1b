import { hash } from 'node:crypto';

type CheckedImage = { readonly contentType: string } | { readonly objection: string };

/** Checks an image: returns what it is, or why pages cannot show it. Fetched and uploaded images are checked alike. */
export function checkImage(bytes: Buffer): CheckedImage {
  const contentType = imageTypeOf(bytes);
  if (contentType === undefined) {
    return { objection: 'is not a PNG, JPEG, WebP, AVIF or SVG without a document type' };
  }
  if (isTooLarge(contentType, bytes)) {
    return { objection: 'is more than 4096 pixels wide or high' };
  }
  if (contentType === 'image/jpeg' && sizesOfJpeg(bytes).length === 0) {
    return { objection: 'is damaged' };
  }
  if (contentType === 'image/jpeg' && hasManyScans(bytes)) {
    return { objection: `has more than ${MOST_SCANS} scans` };
  }
  const flaw =
    contentType === 'image/svg+xml' ? svgFlaw(new TextDecoder().decode(bytes)) : undefined;
  return flaw === undefined ? { contentType } : { objection: flaw };
}

/** The SHA-256 digest that the image's URL ends with. */
export function digestOf(image: Buffer): Buffer {
  return hash('sha256', image, 'buffer');
}

/** Returns the type of an image that browsers show and that is harmless in `<img>`, determined only by its bytes. */
export function imageTypeOf(bytes: Buffer): string | undefined {
  const starts = (text: string, at = 0) =>
    bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'));
  if (starts('\x89PNG\r\n\x1a\n') && starts('IHDR', 12)) return 'image/png';
  if (starts('\xff\xd8\xff')) return 'image/jpeg';
  if (starts('RIFF') && starts('WEBP', 8)) return 'image/webp';
  if (starts('ftypavif', 4) || starts('ftypavis', 4)) return 'image/avif';
  return isSvg(bytes) ? 'image/svg+xml' : undefined;
}

/** Requires UTF-8 and no document type, because entities could expand without end. */
function isSvg(bytes: Buffer): boolean {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return false;
  }
  return /^<svg[\s/>]/.test(afterProlog(text)) && !/<!(?:doctype|entity)/i.test(text);
}

/** Returns the text after the XML declaration, comments and white space (XML 1.0 §2.8). */
function afterProlog(text: string): string {
  let rest = text.trimStart();
  for (;;) {
    const end = rest.startsWith('<?xml') ? '?>' : rest.startsWith('<!--') ? '-->' : undefined;
    if (end === undefined) return rest;
    const at = rest.indexOf(end);
    if (at < 0) return '';
    rest = rest.slice(at + end.length).trimStart();
  }
}

/** The sides of an image, in pixels. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/** The longest side that a logo needs. A few bytes can encode many pixels, which would occupy every user's browser. */
export const MAX_SIDE = 4096;

/** Whether an image of this type has more pixels than a logo needs. An SVG has no pixels. */
function isTooLarge(type: string, bytes: Buffer): boolean {
  return (SIZES[type]?.(bytes) ?? []).some(
    ({ width, height }) => width > MAX_SIDE || height > MAX_SIDE,
  );
}

type ReadSizes = (bytes: Buffer) => readonly Size[];

const SIZES: Readonly<Record<string, ReadSizes>> = {
  'image/png': sizesOfPng,
  'image/jpeg': sizesOfJpeg,
  'image/webp': sizesOfWebp,
  'image/avif': sizesOfAvif,
};

/** PNG §11.2.1: IHDR is the first chunk. */
function sizesOfPng(bytes: Buffer): readonly Size[] {
  if (bytes.length < 24) return [];
  return [{ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }];
}

/** ITU-T T.81 §B.1.1: each frame header states its size. Browsers skip what is not a segment; this reader stops. */
function sizesOfJpeg(bytes: Buffer): readonly Size[] {
  const sizes: Size[] = [];
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      sizes.push({ height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) });
    }
    if (marker === 0 || marker === START_OF_SCAN) break;
    // Any number of FF can precede a marker.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return sizes;
}

const START_OF_SCAN = 0xda;
/** Each scan redraws the whole image: thousands of small ones would occupy a browser for seconds. */
const MOST_SCANS = 100;

/** Counts the marker wherever it is: in the data of a scan, FF is followed by 00 or by a restart marker. */
function hasManyScans(bytes: Buffer): boolean {
  const marker = Buffer.of(0xff, START_OF_SCAN);
  let at = bytes.indexOf(marker);
  let scans = 0;
  while (at >= 0 && scans <= MOST_SCANS) {
    scans += 1;
    at = bytes.indexOf(marker, at + 2);
  }
  return scans > MOST_SCANS;
}

/** RFC 9649 §2.5–2.7: the canvas, or the only frame. */
function sizesOfWebp(bytes: Buffer): readonly Size[] {
  if (bytes.length < 30) return [];
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return [{ width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }];
    case 'VP8L': {
      const packed = bytes.readUInt32LE(21);
      return [{ width: (packed & 0x3f_ff) + 1, height: ((packed >>> 14) & 0x3f_ff) + 1 }];
    }
    default:
      return [
        { width: bytes.readUInt16LE(26) & 0x3f_ff, height: bytes.readUInt16LE(28) & 0x3f_ff },
      ];
  }
}

/** ISO/IEC 23008-12 §6.5.3: each item states its size in an `ispe` box. */
function sizesOfAvif(bytes: Buffer): readonly Size[] {
  const sizes: Size[] = [];
  let at = bytes.indexOf('ispe', 0, 'latin1');
  while (at >= 0 && at + 16 <= bytes.length) {
    sizes.push({ width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) });
    at = bytes.indexOf('ispe', at + 4, 'latin1');
  }
  return sizes;
}

/** The number of elements that a browser draws after following references. Below it, pages with a logo remain fast. */
const MOST_DRAWN = 100_000;
/** The depth of nested elements, and of references to elements with references. */
const MOST_LEVELS = 200;
/** Data URLs other than bitmaps and fonts. They are refused, because what another SVG draws is not counted. */
const OTHER_DATA =
  /(?:^|[\s"'(,;])data:(?!(?:image\/(?:png|jpe?g|gif|webp|avif)|font\/[\w+-]+|application\/(?:x-)?font-[\w-]+)[;,])/i;
/** Elements that draw only colors, whatever they refer to. */
const COLORS = ['linearGradient', 'radialGradient', 'stop'];
/** A marker is drawn at every point of a line. */
const MARKER = 'marker';
const ID = /^[\p{L}\p{N}_.:-]+$/u;
/** The number of IDs with other characters, such as spaces, which some editors write. */
const MOST_ODD_IDS = 100;
/** The number of elements with the same ID, all of which count for each reference to it. */
const MOST_WITH_ID = 100;
const REFERENCE = /#([\p{L}\p{N}_.:-]+)/gu;

interface Element {
  /** Without its prefix. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: Element[];
  text: string;
}

class Flaw extends Error {}

const refuse = (flaw: string): never => {
  throw new Flaw(flaw);
};

/**
 * Returns why an SVG cannot be a logo: a few elements that refer to each other (`use`, patterns, masks, markers, style
 * sheets) can draw billions. Every text that could name another element counts as a reference to it, whatever the name
 * of its element or attribute.
 * @param text without a document type
 */
function svgFlaw(text: string): string | undefined {
  try {
    const root = parse(text);
    const drawn = new Drawing(root).count();
    return drawn > MOST_DRAWN ? `renders more than ${MOST_DRAWN} elements` : undefined;
  } catch (error) {
    if (error instanceof Flaw) return error.message;
    throw error;
  }
}

/** Computes an upper bound of the elements drawn: each counts as often as it is referred to. */
class Drawing {
  readonly #root: Element;
  readonly #named = new Map<string, Element[]>();
  readonly #odd = new Set<string>();
  readonly #counts = new Map<Element, number>();
  readonly #open = new Set<Element>();
  readonly #sheets: string[] = [];

  constructor(root: Element) {
    this.#root = root;
    this.#read(root);
  }

  count(): number {
    return this.#countOf(this.#root, 0) * this.#factorOfSheets();
  }

  #read(element: Element): void {
    if (element.name === 'foreignObject') refuse('has a foreignObject');
    if (element.name === 'style') this.#sheets.push(element.text);
    for (const [name, value] of element.attributes) {
      if (localOf(name) !== 'id') continue;
      if (!ID.test(value)) this.#odd.add(value);
      if (this.#odd.size > MOST_ODD_IDS) refuse(`has more than ${MOST_ODD_IDS} IDs with spaces`);
      const alike = this.#named.get(value) ?? [];
      if (alike.push(element) > MOST_WITH_ID) refuse('has an ID that too many elements share');
      this.#named.set(value, alike);
    }
    for (const child of element.children) this.#read(child);
  }

  #countOf(element: Element, level: number): number {
    const cached = this.#counts.get(element);
    if (cached !== undefined) return cached;
    if (this.#open.has(element)) refuse('has an element that refers to itself');
    if (level > MOST_LEVELS) refuse(`has more than ${MOST_LEVELS} levels`);
    this.#open.add(element);
    let count = 1;
    for (const child of element.children) count += this.#countOf(child, level + 1);
    for (const value of element.attributes.values()) {
      for (const target of COLORS.includes(element.name) ? [] : this.#targetsOf(value)) {
        const times = target.name === MARKER ? pointsOf(element) : 1;
        count += times * this.#countOf(target, level + 1);
      }
    }
    this.#open.delete(element);
    this.#counts.set(element, count);
    return count;
  }

  /** Does not match rules to elements: each reference counts for all elements, and inside every other reference. */
  #factorOfSheets(): number {
    const targets = new Set(this.#sheets.flatMap((sheet) => this.#targetsOf(sheet)));
    const drawing = [...targets].filter((target) => !isColor(target));
    const sum = drawing.reduce((total, target) => total + this.#countOf(target, 0), 0);
    return drawing.reduce((factor) => 1 + sum * factor, 1);
  }

  #targetsOf(value: string): Element[] {
    const forms = spellingsOf(value);
    for (const form of forms) {
      if (OTHER_DATA.test(form)) refuse('has embedded data that is not a bitmap or a font');
      if (/xpointer\(/i.test(form)) refuse('has an XPointer');
    }
    const references = forms.filter((form) => form.includes('#'));
    const plain = references.flatMap((form) => form.match(REFERENCE) ?? []);
    const odd = [...this.#odd].filter((id) => references.some((form) => form.includes(`#${id}`)));
    const ids = new Set([...plain.map((reference) => reference.slice(1)), ...odd]);
    return [...ids].flatMap((id) => this.#named.get(id) ?? []);
  }
}

function isColor({ name, children }: Element): boolean {
  return COLORS.includes(name) && children.every(isColor);
}

/** An upper bound of an element's points: each point takes at least two characters of its data. */
function pointsOf({ attributes }: Element): number {
  const data = [...attributes].filter(([name]) => ['d', 'points'].includes(localOf(name)));
  return Math.max(3, ...data.map(([, value]) => value.length / 2));
}

/**
 * The value as is, and without white space ignored in URLs, CSS escapes (CSS Syntax 3 §4.3.7) and percent-encoding. What
 * looks like a comment can be within a string: the value counts with it, and without it.
 */
function spellingsOf(value: string): string[] {
  const uncommented = value.replaceAll(/\/\*[^]*?(?:\*\/|$)/g, '');
  const unescaped = [value, uncommented].map(withoutEscapes);
  const forms = [value, value.replaceAll(/[\t\n\r]/g, ''), ...unescaped];
  return [...new Set([...forms, ...forms.map(withoutPercents)])];
}

function withoutEscapes(css: string): string {
  return css.replaceAll(/\\(?:([0-9a-fA-F]{1,6})\s?|([^]))/g, (_, hex?: string, character = '') =>
    hex === undefined ? String(character) : characterOf(Number.parseInt(hex, 16)),
  );
}

function withoutPercents(text: string): string {
  return text.replaceAll(/(?:%[0-9a-fA-F]{2})+/g, (run) =>
    Buffer.from(run.replaceAll('%', ''), 'hex').toString(),
  );
}

function characterOf(code: number): string {
  return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : '\uFFFD';
}

function localOf(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

const MARKUP =
  /<!--[^]*?-->|<!\[CDATA\[([^]*?)\]\]>|<\?([\w-]+)([^]*?)\?>|<\/([^\s<>/]+)\s*>|<([^\s<>/!?]+)((?:\s+[^\s=<>/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Parses the part of XML 1.0 that documents without a document type can use. */
function parse(text: string): Element {
  const document: Element = { name: '', attributes: new Map(), children: [], text: '' };
  const open = [{ element: document, tag: '' }];
  let at = 0;
  while (at < text.length) {
    const top = open.at(-1) ?? refuse(MALFORMED);
    const next = text.indexOf('<', at);
    top.element.text += characters(text.slice(at, next < 0 ? undefined : next));
    if (next < 0) break;
    MARKUP.lastIndex = next;
    const [all, cdata, instruction, declared, end, tag, attributes = '', isEmpty] =
      MARKUP.exec(text) ?? refuse(MALFORMED);
    at = next + all.length;
    if (cdata !== undefined) top.element.text += cdata;
    if (instruction !== undefined) requireDeclaration(instruction, declared ?? '', text);
    if (end !== undefined) {
      if (end !== top.tag) refuse(MALFORMED);
      open.pop();
    }
    if (tag === undefined) continue;
    const element = { name: localOf(tag), attributes: read(attributes), children: [], text: '' };
    top.element.children.push(element);
    if (isEmpty === '') open.push({ element, tag });
    if (open.length > MOST_LEVELS) refuse(`has more than ${MOST_LEVELS} levels`);
  }
  const [root] = document.children;
  const isWhole = open.length === 1 && document.children.length === 1;
  return isWhole && root ? root : refuse(MALFORMED);
}

const MALFORMED = 'is not well-formed XML';

function read(text: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single] of text.matchAll(ATTRIBUTE)) {
    if (attributes.has(name)) refuse(MALFORMED);
    attributes.set(name, characters(double ?? single ?? ''));
  }
  return attributes;
}

const PREDEFINED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/** Resolves character references and the predefined entities, the only ones without a document type. */
function characters(text: string): string {
  return text.replaceAll(
    /&(?:#x([0-9a-fA-F]{1,8})|#([0-9]{1,8})|(\w+));|&/g,
    (_, hex, dec, name) => {
      if (hex !== undefined) return characterOf(Number.parseInt(String(hex), 16));
      if (dec !== undefined) return characterOf(Number(dec));
      return PREDEFINED[String(name)] ?? refuse(MALFORMED);
    },
  );
}

/** Refuses processing instructions, which could add style sheets, and encodings that give the bytes another meaning. */
function requireDeclaration(instruction: string, declared: string, text: string): void {
  if (instruction !== 'xml') refuse('has a processing instruction');
  const [, encoding = 'utf-8'] = /encoding\s*=\s*["']([^"']*)["']/.exec(declared) ?? [];
  if (/^utf-?8$/i.test(encoding)) return;
  const isAscii = !/[^\t\n\r\x20-\x7e]/.test(text);
  if (!isAscii || !/^(?:us-ascii|iso-8859-1|windows-1252)$/i.test(encoding)) {
    refuse('is not in UTF-8');
  }
}
