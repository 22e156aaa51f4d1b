import type { Answer, JsonBody, HttpClient, RequestOptions } from '../harness/http.ts';

/** The headers and token of a form submission. */
interface Sending extends RequestOptions {
  /** Default: what a browser sends for a same-origin form. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the token of the last page. */
  readonly token?: string;
}

type Send = HttpClient['request'];

/** Stores cookies like a browser, and the token of the last form. */
export class CookieJar {
  readonly cookies = new Map<string, string>();
  formToken = '';
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  async open(path: string, options: RequestOptions = {}): Promise<Answer<JsonBody>> {
    return this.#keep(await this.#send('GET', path, this.#with(options)));
  }

  async submit(
    path: string,
    fields: Readonly<Record<string, string>>,
    { token = this.formToken, headers = { 'sec-fetch-site': 'same-origin' } }: Sending = {},
  ): Promise<Answer<JsonBody>> {
    const rawBody = new URLSearchParams({ ...fields, form_token: token }).toString();
    const contentType = 'application/x-www-form-urlencoded';
    const options = this.#with({ rawBody, contentType, headers });
    return this.#keep(await this.#send('POST', path, options));
  }

  #with(options: RequestOptions): RequestOptions {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return { ...options, headers: { ...(cookie === '' ? {} : { cookie }), ...options.headers } };
  }

  #keep(answer: Answer<JsonBody>): Answer<JsonBody> {
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0(;|$)/.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    this.formToken = /name="form_token" value="([^"]+)"/.exec(answer.text)?.[1] ?? this.formToken;
    return answer;
  }
}

/** Returns the code on an error page. */
export function codeOnPage({ text }: Answer<JsonBody>): string | undefined {
  return /<footer>\s*<bdi>\d+ <code>([A-Z_]+)<\/code>/.exec(text)?.[1];
}
