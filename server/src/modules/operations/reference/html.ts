/** Text that is HTML already. */
export interface Html {
  readonly html: string;
}

type Part = Html | string | number | undefined | readonly Part[];

/** A template whose values are escaped, unless they were made by it. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const filled = texts.map((text, index) => text + render(parts[index]));
  return { html: filled.join('') };
}

function render(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'string' || typeof part === 'number') return escape(String(part));
  if ('html' in part) return part.html;
  return part.map(render).join('');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] as string);
}
