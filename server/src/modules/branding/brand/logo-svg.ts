/** Elements that a browser draws when references are followed; the page of a logo stays quick below this. */
const MOST_DRAWN = 100_000;
/** Of elements in each other, and of references to elements with references. */
const MOST_LEVELS = 200;
/** Of bitmaps and fonts alone: what another SVG draws is not counted. */
const OTHER_DATA =
  /(?:^|[\s"'(,;])data:(?!(?:image\/(?:png|jpe?g|gif|webp|avif)|font\/[\w+-]+|application\/(?:x-)?font-[\w-]+)[;,])/i;
/** They draw colors, whatever they refer to. */
const COLORS = ['linearGradient', 'radialGradient', 'stop'];
/** Each is drawn at every point of a line. */
const MARKER = 'marker';
const ID = /^[\p{L}\p{N}_.:-]+$/u;
/** Names with other characters, such as spaces, which some editors write. */
const MOST_ODD_IDS = 100;
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
 * Why an SVG cannot be a logo: few elements that refer to each other (`use`, patterns, masks, markers, style sheets) can
 * draw billions. Every text that could name another element counts as a reference to it, whatever the name of its element
 * or attribute.
 * @param text without a document type
 */
export function svgFlaw(text: string): string | undefined {
  try {
    const root = parse(text);
    const drawn = new Drawing(root).count();
    return drawn > MOST_DRAWN ? `draws more than ${MOST_DRAWN} elements` : undefined;
  } catch (error) {
    if (error instanceof Flaw) return error.message;
    throw error;
  }
}

/** Counts what is drawn, at most: each element as often as it is referred to. */
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
      if (this.#odd.size > MOST_ODD_IDS) refuse(`has more than ${MOST_ODD_IDS} ids with spaces`);
      this.#named.set(value, [...(this.#named.get(value) ?? []), element]);
    }
    for (const child of element.children) this.#read(child);
  }

  #countOf(element: Element, level: number): number {
    const known = this.#counts.get(element);
    if (known !== undefined) return known;
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

  /** Which elements a rule of a style sheet applies to is not worked out: each counts for all, within each other. */
  #factorOfSheets(): number {
    const targets = new Set(this.#sheets.flatMap((sheet) => this.#targetsOf(sheet)));
    const drawing = [...targets].filter((target) => !isColor(target));
    const sum = drawing.reduce((total, target) => total + this.#countOf(target, 0), 0);
    return drawing.reduce((factor) => 1 + sum * factor, 1);
  }

  #targetsOf(value: string): Element[] {
    const forms = spellingsOf(value);
    for (const form of forms) {
      if (OTHER_DATA.test(form)) refuse('has data that is neither a bitmap nor a font');
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

/** At most two characters of its data for each. */
function pointsOf({ attributes }: Element): number {
  const data = [...attributes].filter(([name]) => ['d', 'points'].includes(localOf(name)));
  return Math.max(3, ...data.map(([, value]) => value.length / 2));
}

/** As it is, without the white space that addresses are read without, escapes of CSS (CSS Syntax 3 §4.3.7), and percents. */
function spellingsOf(value: string): string[] {
  const forms = [value, value.replaceAll(/[\t\n\r]/g, ''), withoutEscapes(value)];
  return [...new Set([...forms, ...forms.map(withoutPercents)])];
}

function withoutEscapes(css: string): string {
  return css
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/\\(?:([0-9a-fA-F]{1,6})\s?|([^]))/g, (_, hex?: string, one = '') =>
      hex === undefined ? String(one) : characterOf(Number.parseInt(hex, 16)),
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

/** XML 1.0 as far as documents without a document type have it. */
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

/** Without character references; there are no other entities without a document type. */
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

/** No style sheets by instructions, and no encoding in which the bytes mean something else. */
function requireDeclaration(instruction: string, declared: string, text: string): void {
  if (instruction !== 'xml') refuse('has a processing instruction');
  const [, encoding = 'utf-8'] = /encoding\s*=\s*["']([^"']*)["']/.exec(declared) ?? [];
  if (/^utf-?8$/i.test(encoding)) return;
  const isAscii = !/[^\t\n\r\x20-\x7e]/.test(text);
  if (!isAscii || !/^(?:us-ascii|iso-8859-1|windows-1252)$/i.test(encoding)) {
    refuse('is not in UTF-8');
  }
}
