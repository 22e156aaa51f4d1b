import { AppError } from '@keywright/contract/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { namesTag } from './answer.ts';
import { CODINGS, isAccepted } from './pages/asset.ts';
import { pageHeaders } from './pages/html.ts';
import { SharedFiles } from './shared-files.ts';

/** The folder of the built pages. */
const BUILT = new URL('../../../../ui/console/dist/reference/', import.meta.url);
const SUFFIX = { br: '.br', gzip: '.gz' } as const;
/** Contains no separator and no dot, so that a name never leads out of the folder. */
const NAME = /^[a-z-]{1,40}$/;
const SEARCH = 'search.json';

const HEADERS = {
  ...pageHeaders({ styles: true, scripts: true, fonts: true, connects: true }),
  'cache-control': 'no-cache',
  vary: 'Accept-Encoding',
};

/**
 * Serves the API reference, which is built and compressed together with the console. Nothing is kept in memory between
 * requests.
 */
export function serveReference(server: FastifyInstance, built = BUILT): void {
  const files = new SharedFiles(built);

  async function send(
    { headers }: FastifyRequest,
    reply: FastifyReply,
    file: string,
  ): Promise<unknown> {
    const coding = CODINGS.find((candidate) => isAccepted(candidate, headers['accept-encoding']));
    const name = coding ? `${file}${SUFFIX[coding]}` : file;
    const { bytes, etag } = await files.read(name).catch(failMissing);
    reply.headers({
      ...HEADERS,
      etag,
      ...(coding && { 'content-encoding': coding }),
      ...(file === SEARCH && { 'content-type': 'application/json' }),
    });
    if (namesTag(headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.send(bytes);
  }

  server.route({
    method: 'GET',
    url: '/reference',
    handler: (request, reply) => send(request, reply, 'index.html'),
  });
  server.route({
    method: 'GET',
    url: '/reference/:name',
    handler: (request, reply) => {
      const { name } = request.params as { readonly name: string };
      if (name === SEARCH) return send(request, reply, SEARCH);
      if (name === '') return reply.redirect('/reference');
      if (!NAME.test(name)) throw new AppError('ROUTE_NOT_FOUND');
      return send(request, reply, `${name}.html`);
    },
  });
}

function failMissing(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ENOENT') throw error;
  throw new AppError('ROUTE_NOT_FOUND', {
    detail: 'This page does not exist, or the reference was not built. `npm start` builds it.',
  });
}
