import { type Html, html, style } from '../../../platform/http/pages/html.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import type { Look } from '../../branding/brand/index.ts';
import { shell } from '../../branding/views/index.ts';

export type Claims = Readonly<Record<string, unknown>>;

interface DecodedToken {
  readonly text: string;
  readonly claims: Claims;
}

interface TestPage {
  readonly look: Look;
  /** Name of the client. */
  readonly client: string;
  readonly requested: readonly string[];
  /** The page of the client in the console. */
  readonly back: string;
}

interface TestedPage extends TestPage {
  readonly granted: readonly string[];
  readonly accessToken: DecodedToken;
  readonly idToken: DecodedToken | undefined;
  /** Undefined if the token cannot be used to read it. */
  readonly userinfo: Claims | undefined;
  readonly userinfoUrl: string;
  /** How long the access token is valid. */
  readonly minutes: number;
}

interface FailedPage extends TestPage {
  readonly error: string;
  readonly detail: string | undefined;
}

const STYLE = style(`
main,footer{max-width:46rem}
pre{margin:.5rem 0;padding:.75rem;border:1px solid var(--line);border-radius:var(--corner);background:var(--raised);font:13px/20px ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
.done,dl{margin:1rem 0}
section+p{margin-top:1.5rem}
.done{padding:.75rem;border-radius:var(--corner);background:var(--ok-tint);color:var(--ok)}
details{margin-top:.5rem}
`);

/** The tokens that a test login got, as the client would get them. */
export function testedView(page: TestedPage): Html {
  const { look, granted, accessToken, idToken, userinfo, minutes } = page;
  const { texts } = look;
  const isBound = 'cnf' in accessToken.claims;
  return frame(
    page,
    texts.text('test_login.title', { client: page.client }),
    html`<p role="status" class="done">${texts.text('test_login.once', { count: minutes })}</p>
      ${scopesList(page, granted)}
      ${idToken && token('id-token', texts.text('test_login.id_token'), idToken, texts)}
      ${token('access-token', texts.text('test_login.access_token'), accessToken, texts)}
      ${isBound ? html`<p class="hint">${texts.text('test_login.bound')}</p>` : undefined}
      ${userinfo && json('userinfo', texts.text('test_login.userinfo'), userinfo)}
      ${userinfo && curl(page)}`,
  );
}

/** The error that the client would get. */
export function failedTestView(page: FailedPage): Html {
  const { texts } = page.look;
  const fields = { error: page.error, ...(page.detail && { error_description: page.detail }) };
  return frame(
    page,
    texts.text('test_login.failed', { client: page.client }),
    html`${scopesList(page, undefined)} ${json('error', texts.text('test_login.error'), fields)}`,
  );
}

function frame({ look, back }: TestPage, title: string, body: Html): Html {
  return shell(
    { look, title, head: STYLE },
    html`${body}
      <p><a href="${back}">${look.texts.text('test_login.back')}</a></p>`,
  );
}

function scopesList({ look, requested }: TestPage, granted: readonly string[] | undefined): Html {
  const { texts } = look;
  return html`<dl>
    <dt>${texts.text('test_login.requested')}</dt>
    <dd><bdi>${requested.join(' ')}</bdi></dd>
    ${
      granted &&
      html`<dt>${texts.text('test_login.granted')}</dt>
        <dd><bdi>${granted.join(' ')}</bdi></dd>`
    }
  </dl>`;
}

function token(id: string, title: string, { text, claims }: DecodedToken, texts: Texts): Html {
  return html`${json(id, title, claims)}
    <details>
      <summary>${texts.text('test_login.encoded')}</summary>
      ${code(text)}
    </details>`;
}

function json(id: string, title: string, value: Claims): Html {
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${code(JSON.stringify(value, undefined, 2))}
  </section>`;
}

function curl({ look, accessToken, userinfoUrl }: TestedPage): Html {
  const line = `curl -H 'Authorization: Bearer ${accessToken.text}' ${userinfoUrl}`;
  return html`<section aria-labelledby="curl">
    <h2 id="curl">${look.texts.text('test_login.curl')}</h2>
    ${code(line)}
  </section>`;
}

function code(text: string): Html {
  return html`<pre dir="ltr">${text}</pre>`;
}
