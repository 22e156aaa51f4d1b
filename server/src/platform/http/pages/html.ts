import { createHash } from 'node:crypto';

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
    filled += render(part, inline) + (fixed[index + 1] ?? '');
  }
  return new Html(filled, inline);
}

const compacted = new WeakMap<TemplateStringsArray, readonly string[]>();

/** Removes the indentation of the source, a tenth of a page, because pages are sent uncompressed. */
function compact(texts: TemplateStringsArray): readonly string[] {
  let known = compacted.get(texts);
  if (!known) {
    known = texts.map((text) => text.replaceAll(/\s*\n\s*/g, '\n'));
    compacted.set(texts, known);
  }
  return known;
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
  return part.map((one) => render(one, inline)).join('');
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
