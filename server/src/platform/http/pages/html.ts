import { createHash } from 'node:crypto';
import type { PagePolicy } from '@keywright/contract/reply';
import type { FastifyReply } from 'fastify';
import { randomId } from '../../crypto/ids.ts';

/** An inline style or script, by its hash (CSP level 3 §2.3.1). */
export interface Inline {
  readonly kind: 'style' | 'script';
  readonly source: string;
}

/**
 * Escaped HTML, and the inline elements that the content security policy must allow. Html is a class so that a record
 * with the same fields does not count as one.
 */
export class Html {
  readonly html: string;
  readonly inline: readonly Inline[];

  constructor(text: string, inline: readonly Inline[]) {
    this.html = text;
    this.inline = inline;
  }
}

type Part = Html | string | number | undefined | readonly Part[];

/** A template whose values are escaped, unless they are Html themselves. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const inline: Inline[] = [];
  const fixed = compact(texts);
  let filled = fixed[0] ?? '';
  for (const [index, part] of parts.entries()) {
    const text = fixed[index + 1] ?? '';
    const rendered = render(part, inline);
    // Spaces around a part that is missing are one space.
    filled += rendered === '' && /\s$/.test(filled) ? text.trimStart() : rendered + text;
  }
  return new Html(filled, inline);
}

const compacted = new WeakMap<TemplateStringsArray, readonly string[]>();

/** Removes the indentation of the source, a tenth of a page, because pages are sent uncompressed. */
function compact(texts: TemplateStringsArray): readonly string[] {
  let cached = compacted.get(texts);
  if (!cached) {
    cached = texts.map((text) => text.replaceAll(/\s*\n\s*/g, '\n'));
    compacted.set(texts, cached);
  }
  return cached;
}

/** A style element. @param css constant, or with validated values: it is not escaped */
export function style(css: string): Html {
  return element('style', css);
}

/** A script element. @param text constant: it is not escaped */
export function script(text: string): Html {
  return element('script', text.trim().replaceAll(/\n\s+/g, '\n'));
}

/**
 * Makes a page view-only: nothing in it runs, takes the focus or can be submitted. Its fields and buttons belong to no
 * form, because browsers log an error for each form that a sandbox prevents from being submitted. Text is escaped, so
 * it contains no other script element and no other end of a tag.
 */
export function toLookAt({ html: text, inline }: Html): Html {
  const shown = text
    .replaceAll(/<script>.*?<\/script>/gs, '')
    .replaceAll(/<(?:input|button)\b[^>]*>/g, (tag) =>
      tag.replaceAll(/\sautofocus\b/g, '').replace(/^<\w+/, '$& form="none"'),
    );
  return new Html(
    shown,
    inline.filter(({ kind }) => kind !== 'script'),
  );
}

function element(kind: Inline['kind'], text: string): Html {
  // HTML §4.12.1.3: raw text ends at the first of these.
  if (/<\/|<!--/.test(text)) throw new Error(`A ${kind} must not contain "</" or "<!--".`);
  const source = `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return new Html(`<${kind}>${text}</${kind}>`, [{ kind, source }]);
}

function render(part: Part, inline: Inline[]): string {
  if (part === undefined) return '';
  if (typeof part === 'string' || typeof part === 'number') return escape(String(part));
  if (part instanceof Html) {
    inline.push(...part.inline);
    return part.html;
  }
  return part.map((item) => render(item, inline)).join('');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  // Most texts have nothing to escape, and replaceAll costs more than looking.
  if (!/[&<>"']/.test(text)) return text;
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] as string);
}

/** The policy of a page that declares nothing. */
export const READ_ONLY: PagePolicy = { styles: true };

/**
 * Sends a page with the headers of every page. The page is not compressed, since it contains both a token and user
 * input.
 */
export function sendPage(
  reply: FastifyReply,
  page: Html | FilledPage,
  policy: FormPolicy,
): string | Buffer {
  if (page instanceof Html) {
    reply.headers(pageHeaders(policy, page.inline));
    return page.html;
  }
  reply.headers(page.headersFor(policy));
  return page.bytes;
}

type PageHeaders = ReturnType<typeof pageHeaders>;

/** A page as bytes, from a template. */
export interface FilledPage {
  readonly bytes: Buffer;
  readonly headersFor: (policy: FormPolicy) => PageHeaders;
}

/** The headers of every page, regardless of its source. */
export function pageHeaders(policy: FormPolicy, inline: readonly Inline[] = []) {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy(policy, inline),
    'x-frame-options': policy.framed ? 'SAMEORIGIN' : 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': PERMISSIONS,
    ...(policy.opener ? {} : { 'cross-origin-opener-policy': 'same-origin' }),
  };
}

/** The policy of one page, whose form can target another site. */
interface FormPolicy extends PagePolicy {
  readonly formTarget?: URL | undefined;
}

/** For a custom scheme, the form target is the scheme instead of the origin. */
function formTargets({ forms, formTarget }: FormPolicy): string[] {
  if (formTarget)
    return [/^https?:$/.test(formTarget.protocol) ? formTarget.origin : formTarget.protocol];
  return forms ? ["'self'"] : ["'none'"];
}

/** Only our own pages can use passkeys, frames in them cannot; no page can use the other features. */
const PERMISSIONS = [
  ...['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb'].map(
    (name) => `${name}=()`,
  ),
  'publickey-credentials-create=(self)',
  'publickey-credentials-get=(self)',
].join(', ');

/** Returns a policy that allows only what the route declares, and nothing unsafe (CSP level 3, Trusted Types). */
export function contentSecurityPolicy(policy: FormPolicy, inline: readonly Inline[]): string {
  const sourcesOf = (kind: Inline['kind']) =>
    inline.flatMap((entry) => (entry.kind === kind ? [entry.source] : []));
  const directives: [string, readonly string[]][] = [
    ['script-src', policy.scripts ? ["'self'", ...sourcesOf('script')] : []],
    ['style-src', policy.styles ? ["'self'", ...sourcesOf('style')] : []],
    ['img-src', policy.images ? ["'self'", 'data:'] : ['data:']],
    ['font-src', policy.fonts ? ["'self'"] : []],
    ['connect-src', policy.connects ? ["'self'"] : []],
    ['frame-src', policy.frames ? ["'self'"] : []],
    ['form-action', formTargets(policy)],
  ];
  const allowed = directives.flatMap(([name, sources]) =>
    sources.length > 0 ? [`${name} ${[...new Set(sources)].join(' ')}`] : [],
  );
  return ["default-src 'none'", ...allowed, "base-uri 'none'", framingOf(policy), ...ALWAYS].join(
    '; ',
  );
}

/** Prevents clickjacking: a page in a frame is sandboxed, so that its buttons do nothing. */
function framingOf({ framed }: FormPolicy): string {
  return framed ? "frame-ancestors 'self'; sandbox allow-same-origin" : "frame-ancestors 'none'";
}

const ALWAYS = ["require-trusted-types-for 'script'", "trusted-types 'none'"];

/** A page that is rendered and encoded once: for each request, only the values of its slots are inserted. */
export class PageTemplate<Slot extends string> {
  readonly #slots: readonly Slot[];
  /** The bytes between the slots, and the slots. */
  readonly #pieces: readonly (Buffer | Slot)[];
  readonly #inline: readonly Inline[];
  readonly #headers = new WeakMap<FormPolicy, PageHeaders>();

  /** @param draw gets a text to insert for each slot */
  constructor(slots: readonly Slot[], draw: (markerOf: (slot: Slot) => string) => Html) {
    // Random, so that no other text of the page can contain one.
    const markers = new Map(slots.map((slot) => [slot, randomId()]));
    const slotsByMarker = new Map([...markers].map(([slot, marker]) => [marker, slot]));
    const page = draw((slot) => markers.get(slot) ?? '');
    const parts = page.html.split(new RegExp(`(${[...markers.values()].join('|')})`));
    this.#slots = slots;
    this.#pieces = parts.map((part) => slotsByMarker.get(part) ?? Buffer.from(part));
    this.#inline = page.inline;
  }

  /** Memory that the page takes, in bytes. */
  get size(): number {
    return this.#pieces.reduce((sum, piece) => sum + piece.length, 0);
  }

  insert(values: Readonly<Record<Slot, Html>>): FilledPage {
    const encoded = new Map(this.#slots.map((slot) => [slot, Buffer.from(values[slot].html)]));
    const pieces = this.#pieces.map((piece) =>
      typeof piece === 'string' ? (encoded.get(piece) ?? Buffer.alloc(0)) : piece,
    );
    return { bytes: Buffer.concat(pieces), headersFor: this.#headersFor };
  }

  /** Computed once for each route, whose policy is one object. */
  readonly #headersFor = (policy: FormPolicy): PageHeaders => {
    const headers = this.#headers.get(policy) ?? pageHeaders(policy, this.#inline);
    this.#headers.set(policy, headers);
    return headers;
  };
}
