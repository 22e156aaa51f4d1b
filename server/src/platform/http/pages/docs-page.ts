import { type ErrorCode, ERRORS } from '@keywright/contract/errors';
import type { PageBlock } from '@keywright/contract/error-example';
import { type Html, html, style } from './html.ts';
import { LOOK } from './look.ts';

/** A page of a service without the documentation. */
interface UnbuiltPage {
  readonly status: 200 | 404;
  readonly html: Html;
}

/**
 * Returns the page at a path below `/docs/` if the documentation was not built: the page of an error code, or how to
 * build the documentation. In English, like the documentation.
 */
export async function unbuiltPage(path: string): Promise<UnbuiltPage> {
  const [, name] = /^errors\/([a-z_]{1,64})$/.exec(path) ?? [];
  const code = CODES.find((candidate) => candidate.toLowerCase() === name);
  if (code) return { status: 200, html: await errorCodePage(code) };
  return { status: path === '' ? 200 : 404, html: startPage() };
}

const CODES = Object.keys(ERRORS) as ErrorCode[];

async function errorCodePage(code: ErrorCode): Promise<Html> {
  const [{ errorPageBlocks }, { ROUTES }] = await Promise.all([
    import('@keywright/contract/error-example'),
    import('@keywright/contract/routes'),
  ]);
  return layOut(
    code,
    html`${errorPageBlocks(code, ROUTES).map(htmlOf)}
      <h2>More</h2>
      <p><a href="/docs/">All error codes</a></p>`,
  );
}

function htmlOf(block: PageBlock): Html {
  switch (block.kind) {
    case 'heading':
      return html`<h2>${block.text}</h2>`;
    case 'lead':
      return html`<p class="lead">${marked(block.text)}</p>`;
    case 'text':
      return html`<p>${marked(block.text)}</p>`;
    case 'list':
      return html`<ul>
        ${block.items.map((item) => html`<li>${marked(item)}</li>`)}
      </ul>`;
    case 'code':
      return html`<pre>${block.text}</pre>`;
  }
}

/** A text whose backticks mark code. */
function marked(text: string): readonly (Html | string)[] {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

function startPage(): Html {
  return layOut(
    'Documentation',
    html`<p>
        This service was installed without its documentation. In a clone of the source code, build
        it with <code>npm run docs -- --build</code>, and open this page again. The same pages are
        Markdown files in the folder <code>docs</code>.
      </p>
      <p><a href="/reference">API reference of this service</a></p>
      <h2>Error codes</h2>
      <ul>
        ${CODES.map(
          (code) =>
            html`<li>
              <a href="/docs/errors/${code.toLowerCase()}"><code>${code}</code></a>
            </li>`,
        )}
      </ul>`,
  );
}

const WIDE = style(
  'main{max-width:46rem}pre{padding:.75rem;border-radius:var(--corner);background:var(--raised);font-size:14px;line-height:20px;white-space:pre-wrap}ul{padding-inline-start:1.25rem}',
);

function layOut(title: string, contents: Html): Html {
  return html`<!doctype html>
    <html lang="en" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${LOOK} ${WIDE}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${contents}
        </main>
      </body>
    </html>`;
}
