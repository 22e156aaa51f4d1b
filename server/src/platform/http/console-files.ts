import { AppError } from '@keywright/contract/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { namesTag } from './answer.ts';
import { CODINGS, isAccepted } from './pages/asset.ts';
import { pageHeaders } from './pages/html.ts';
import { SharedFiles } from './shared-files.ts';

/** The folder of the console's build. */
const BUILT = new URL('../../../../ui/console/dist/', import.meta.url);
/** One year, which caches treat as forever (RFC 8246 §2): a file's name contains its digest. */
const NEVER_CHANGES = 'public, max-age=31536000, immutable';
const SUFFIX = { br: '.br', gzip: '.gz' } as const;

/** The manifest that the build writes. */
interface Manifest {
  readonly digest: string;
  /** Files by path. Nothing else is served: a request path never selects a file directly. */
  readonly files: Readonly<Record<string, { readonly file: string; readonly type: string }>>;
}

/**
 * Serves the console: one page, the same for all users and at all its addresses, and the files that it loads. Nothing
 * is kept in memory between requests.
 */
export function serveConsole(server: FastifyInstance, built = BUILT): void {
  const shared = new SharedFiles(built);
  const read = async (name: string) => (await shared.read(name)).bytes;
  const load = async (): Promise<Manifest> => {
    const text = await read('manifest.json').catch(failUnbuilt);
    return JSON.parse(text.toString());
  };

  async function sendShell(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { digest } = await load();
    const etag = `"${digest}"`;
    reply.headers({ ...SHELL_HEADERS, etag });
    if (namesTag(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return read('index.html');
  }

  async function sendFile(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { files } = await load();
    const [path = ''] = request.url.split('?', 1);
    if (!Object.hasOwn(files, path)) throw new AppError('ROUTE_NOT_FOUND');
    const { file, type } = files[path] as Manifest['files'][string];
    const accepts = request.headers['accept-encoding'];
    const coding = CODINGS.find((candidate) => isAccepted(candidate, accepts));
    reply.headers({
      'content-type': type,
      'cache-control': NEVER_CHANGES,
      'cross-origin-resource-policy': 'same-origin',
      vary: 'Accept-Encoding',
      ...(coding && { 'content-encoding': coding }),
    });
    return read(coding ? `${file}${SUFFIX[coding]}` : file);
  }

  server.route({ method: 'GET', url: '/console', handler: sendShell });
  server.route({ method: 'GET', url: '/console/*', handler: sendShell });
  server.route({ method: 'GET', url: '/console/assets/:name', handler: sendFile });
}

const SHELL_HEADERS = {
  ...pageHeaders({
    styles: true,
    scripts: true,
    images: true,
    fonts: true,
    connects: true,
    forms: true,
    frames: true,
  }),
  // Revalidated each time and rarely sent: the page names the files of the current build.
  'cache-control': 'no-cache',
};

function failUnbuilt(): never {
  throw new AppError('ROUTE_NOT_FOUND', {
    detail: 'The console was not built. `npm start` builds it.',
  });
}
