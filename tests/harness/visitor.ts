import { createHash, randomBytes } from 'node:crypto';
import type { Answer } from './http.ts';
import type { TestTenant } from './tenant.ts';

/** A page as a browser without scripts sees it. */
export interface Seen {
  /** Path of the page. */
  readonly address: string;
  readonly status: number;
  readonly title: string;
  readonly text: string;
  /** The hidden fields of the page's forms. */
  readonly hidden: Readonly<Record<string, string>>;
  /** The path of its first form's action. */
  readonly postsTo: string;
  /** Names of the buttons. */
  readonly actions: readonly string[];
  /** The target of the page's automatic redirect, or of a redirect to a URL outside the service. */
  readonly redirectsTo: URL | undefined;
  /** The target outside the service of its form, with the hidden fields. */
  readonly formTarget: URL | undefined;
  readonly headers: Answer<unknown>['headers'];
}

/** A browser without scripts on a tenant's pages. It stores cookies, and follows redirects within the service. */
export class Visitor {
  readonly #tenant: Pick<TestTenant, 'request'>;
  readonly #issuer: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #jar = new Map<string, string>();
  #seen: Seen | undefined;

  /** @param headers sent with each request, in addition to those of every browser */
  constructor(
    tenant: Pick<TestTenant, 'request'>,
    issuer: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.#tenant = tenant;
    this.#issuer = new URL(issuer);
    this.#headers = headers;
  }

  get #base(): string {
    const { pathname } = this.#issuer;
    return pathname === '/' ? '' : pathname;
  }

  /** The current page. */
  get seen(): Seen {
    if (!this.#seen) throw new Error('No page was opened.');
    return this.#seen;
  }

  get cookies(): ReadonlyMap<string, string> {
    return this.#jar;
  }

  /** Asks for a code. */
  authorize(parameters: Readonly<Record<string, string>>): Promise<Seen> {
    const query = new URLSearchParams(parameters).toString();
    return this.open(`${this.#base}/oauth/authorize?${query}`);
  }

  /** Sends the authorization request as a form. */
  authorizeByForm(parameters: Readonly<Record<string, string>>): Promise<Seen> {
    const path = `${this.#base}/oauth/authorize`;
    return this.#go('POST', path, new URLSearchParams(parameters));
  }

  /** Stores a cookie that another party has set. */
  keep(name: string, value: string): void {
    this.#jar.set(name, value);
  }

  /** Acts like the back button or another tab: no request is sent. */
  goBackTo(seen: Seen): void {
    this.#seen = seen;
  }

  open(path: string): Promise<Seen> {
    return this.#go('GET', path);
  }

  /** Presses a button of the current page. */
  press(action: string, typed: Readonly<Record<string, string>> = {}): Promise<Seen> {
    const { hidden, postsTo } = this.seen;
    return this.post(postsTo, { ...hidden, ...typed, action });
  }

  /** Sends a form. */
  post(path: string, fields: Readonly<Record<string, string>>): Promise<Seen> {
    return this.#go('POST', path, new URLSearchParams(fields));
  }

  async #go(method: string, path: string, form?: URLSearchParams): Promise<Seen> {
    const answer = await this.#tenant.request<unknown>(method, path, {
      host: this.#issuer.host,
      headers: {
        ...this.#headers,
        cookie: [...this.#jar].map(([name, value]) => `${name}=${value}`).join('; '),
        'sec-fetch-site': 'same-origin',
      },
      ...(form && {
        rawBody: form.toString(),
        contentType: 'application/x-www-form-urlencoded',
      }),
    });
    this.#keep(answer.headers['set-cookie'] ?? []);
    const { location } = answer.headers;
    const next = location === undefined ? undefined : new URL(location, this.#issuer);
    if (next?.origin === this.#issuer.origin) return this.#go('GET', next.pathname + next.search);
    this.#seen = seenIn(answer, new URL(path, this.#issuer));
    return this.#seen;
  }

  #keep(lines: readonly string[]): void {
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) this.#jar.delete(name);
      else this.#jar.set(name, value);
    }
  }
}

function seenIn({ status, text, headers }: Answer<unknown>, at: URL): Seen {
  // The form for choosing a language is not submitted.
  const sent = text.replaceAll(/<form action=.*?<\/form>/gs, '');
  const inputs = [...sent.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const [, refresh] = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(text) ?? [];
  const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(text) ?? [];
  const target = headers.location ?? (refresh && unescape(refresh));
  return {
    address: at.pathname + at.search,
    status,
    title: unescape(/<title>([^<]*)/.exec(text)?.[1] ?? ''),
    text,
    hidden: Object.fromEntries(inputs.map(([, name, value]) => [name, unescape(value ?? '')])),
    postsTo: new URL(action, at).pathname,
    actions: [...text.matchAll(/name="action" value="([^"]+)"/g)].map(([, name]) => name ?? ''),
    redirectsTo: target === undefined ? undefined : new URL(target),
    formTarget: /^https?:/.test(action) ? new URL(unescape(action)) : undefined,
    headers,
  };
}

export function unescape(text: string): string {
  const names: Readonly<Record<string, string>> = {
    '&lt;': '<',
    '&gt;': '>',
    '&quot;': '"',
    '&#39;': "'",
    '&amp;': '&',
  };
  return text.replaceAll(/&(lt|gt|quot|#39|amp);/g, (entity) => names[entity] ?? entity);
}

/** A code verifier, and its challenge (RFC 7636 §4.1). */
export function newPkce(): { readonly verifier: string; readonly challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}
