// Moves inline scripts and styles of built pages to files, so that a strict content security policy can forbid them.

import { createHash } from 'node:crypto';

const SCRIPT = /<script(?![^>]*\ssrc=)([^>]*)>([^]*?)<\/script>/g;
const STYLE = /<style[^>]*>([^]*?)<\/style>/g;
const TAG_WITH_STYLE = /<[a-z][^<>]*?\sstyle="([^"]*)"[^<>]*>/gi;

export class Externalizer {
  readonly #files = new Map<string, string>();
  readonly #rules = new Map<string, string>();
  readonly #folder: string;

  /** @param folder the URL path of the files, such as `/docs/_assets` */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns a page without inline code. Its `</head>` gets a link to the file that `finish` returns. */
  page(html: string): string {
    return html
      .replaceAll(SCRIPT, (whole, attributes: string, code: string) => {
        if (/type="application\//.test(attributes)) return whole;
        return `<script${attributes} src="${this.#fileFor(code, 'js')}"></script>`;
      })
      .replaceAll(
        STYLE,
        (_, rules: string) => `<link rel="stylesheet" href="${this.#fileFor(rules, 'css')}">`,
      )
      .replaceAll(TAG_WITH_STYLE, (tag, style: string) => withClass(tag, this.#classFor(style)));
  }

  /** The files by name, and the URL of the one with the rules of style attributes. */
  finish(): { readonly files: ReadonlyMap<string, string>; readonly rulesUrl: string } {
    const rules = [...this.#rules].map(([style, name]) => `.${name}{${style}}`);
    const rulesUrl = this.#fileFor(rules.join('\n'), 'css');
    return { files: this.#files, rulesUrl };
  }

  #fileFor(text: string, extension: string): string {
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, 10);
    const name = `inline.${hash}.${extension}`;
    this.#files.set(name, text);
    return `${this.#folder}/${name}`;
  }

  #classFor(style: string): string {
    const text = style.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
    const name = this.#rules.get(text) ?? `x${this.#rules.size.toString(36)}`;
    this.#rules.set(text, name);
    return name;
  }
}

function withClass(tag: string, name: string): string {
  const without = tag.replace(/\sstyle="[^"]*"/, '');
  if (/\sclass="/.test(without)) return without.replace(/\sclass="/, ` class="${name} `);
  return without.replace(/^<[a-z0-9-]+/i, (start) => `${start} class="${name}"`);
}
