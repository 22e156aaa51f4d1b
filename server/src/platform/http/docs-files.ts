import { extname } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { namesTag } from './answer.ts';
import { CODINGS, isAccepted } from './pages/asset.ts';
import { pageHeaders, READ_ONLY, sendPage } from './pages/html.ts';
import { SharedFiles } from './shared-files.ts';

/** The folder of the built documentation. */
const BUILT = new URL('../../../../site/dist/', import.meta.url);
/** One year: the name of a file in this folder contains its digest. */
const ASSETS = '_assets/';
const NEVER_CHANGES = 'public, max-age=31536000, immutable';
const SUFFIX = { br: '.br', gzip: '.gz' } as const;
/** Segments that start with a dot do not match, so that a path never leads out of the folder. */
const PATH = /^[\w-][\w.~-]*(?:\/[\w-][\w.~-]*)*$/;
const MAX_PATH = 200;

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** As strict as the site allows: no inline code, and WebAssembly for the search. */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

interface DocsFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly etag: string;
  readonly coding: (typeof CODINGS)[number] | undefined;
}

/**
 * Serves the documentation at `/docs/`. Without a build of it, serves the pages of error codes, to which every error
 * links. Nothing is read at the start or kept in memory between requests.
 */
export function serveDocs(server: FastifyInstance, built = BUILT): void {
  const files = new SharedFiles(built);
  const read = (name: string) => files.read(name).catch(undefinedIfMissing);

  async function find(path: string, codings: typeof CODINGS): Promise<DocsFile | undefined> {
    if (path !== '' && (path.length > MAX_PATH || !PATH.test(path))) return undefined;
    const names = path === '' ? ['index.html'] : [path, `${path}.html`];
    for (const name of names) {
      for (const coding of codings) {
        const compressed = await read(`${name}${SUFFIX[coding]}`);
        if (compressed) return { ...compressed, name, coding };
      }
      const file = await read(name);
      if (file) return { ...file, name, coding: undefined };
    }
    return undefined;
  }

  async function send(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { '*': path } = request.params as { readonly '*': string };
    const [, page] = /^(.+)\/$/.exec(path) ?? [];
    if (page !== undefined && PATH.test(page)) return reply.redirect(`/docs/${page}`);
    const accepts = request.headers['accept-encoding'];
    const codings = CODINGS.filter((coding) => isAccepted(coding, accepts));
    const found = await find(path, codings);
    if (found) return sendFile(request, reply, found);
    const missing = await find('404', codings);
    if (missing) return sendFile(request, reply.code(404), missing);
    // Loaded only for a service without the documentation.
    const { unbuiltPage } = await import('./pages/docs-page.ts');
    const { status, html } = await unbuiltPage(path);
    return sendPage(reply.code(status), html, READ_ONLY);
  }

  server.route({ method: 'GET', url: '/docs', handler: (_, reply) => reply.redirect('/docs/') });
  server.route({ method: 'GET', url: '/docs/*', handler: send });
}

function sendFile(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { name, bytes, etag, coding }: DocsFile,
): unknown {
  reply.headers({
    ...pageHeaders(READ_ONLY),
    'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
    'content-security-policy': POLICY,
    'cache-control': name.startsWith(ASSETS) ? NEVER_CHANGES : 'no-cache',
    vary: 'Accept-Encoding',
    etag,
    ...(coding && { 'content-encoding': coding }),
  });
  const isKnown = reply.statusCode === 200 && namesTag(headers['if-none-match'], etag);
  return isKnown ? reply.code(304).send() : reply.send(bytes);
}

const MISSING = ['ENOENT', 'ENOTDIR', 'EISDIR'];

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (!MISSING.includes(error.code ?? '')) throw error;
}
