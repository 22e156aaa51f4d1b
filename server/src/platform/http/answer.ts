import { Readable } from 'node:stream';
import { type Route, isTenantInRequest } from '@keywright/contract/route';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Asset } from './pages/asset.ts';
import {
  RequestedAsset,
  Cacheable,
  CompressedOnce,
  Image,
  type Live,
  OtherFormat,
  OtherStatus,
  Prepared,
  Streamed,
} from './replies.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
/** A URL can serve several tenants: caches must keep their responses apart. */
export const BY_TENANT = 'X-Tenant-ID, Host';
/** The same where the response also depends on the origin. */
export const BY_TENANT_AND_ORIGIN = `Origin, ${BY_TENANT}`;
const NOT_MODIFIED = 304;

/** Sends the result of a handler. */
export type Send = (answer: unknown, reply: FastifyReply) => unknown;

/** Returns the function that sends the results of a route's handler as the contract declares them. */
export function resultSender(route: Route): Send {
  const contentType = route.ok.contentType ?? JSON_TYPE;
  const isShared = isTenantInRequest(route);
  return (answer, reply) => {
    if (answer instanceof CompressedOnce) {
      reply.header('cache-control', answer.cacheControl).type(contentType);
      return sendCompressed(answer.asset, reply);
    }
    if (answer instanceof Prepared) {
      if (answer instanceof Cacheable) sendTag(answer, isShared, reply);
      // RFC 9110 §15.4.5: a 304 has only the tag.
      if (reply.statusCode === NOT_MODIFIED) return undefined;
      void reply.type(answer instanceof OtherFormat ? answer.contentType : contentType);
      return answer.text;
    }
    if (answer instanceof RequestedAsset) return sendAsset(answer, contentType, reply);
    if (answer instanceof Image) return sendImage(answer, isShared, reply);
    if (answer instanceof Streamed) {
      // For HEAD, the chunks would be read as fast as the database can, and not sent.
      const chunks = reply.request.method === 'HEAD' ? [] : answer.chunks;
      return reply.type(answer.contentType).send(Readable.from(chunks));
    }
    if (answer instanceof OtherStatus) {
      reply.code(answer.status).header('retry-after', String(answer.retryAfterSeconds));
      return answer.body;
    }
    return answer;
  };
}

/** One year, which caches treat as forever (RFC 8246 §2). */
const NEVER_CHANGES = 'public, max-age=31536000, immutable';

/** Sends the file in the best coding that the client accepts. Each coding has its own ETag (RFC 9110 §8.8.3). */
async function sendCompressed(asset: Asset, reply: FastifyReply): Promise<unknown> {
  const { headers } = reply.request;
  const { bytes, coding } = await asset.read(headers['accept-encoding']);
  const etag = `"${coding ? `${asset.digest}-${coding}` : asset.digest}"`;
  reply.headers({ etag, vary: 'Accept-Encoding' });
  if (namesTag(headers['if-none-match'], etag)) return reply.code(NOT_MODIFIED).send();
  if (coding) reply.header('content-encoding', coding);
  return bytes;
}

async function sendAsset(
  { asset, isForGood }: RequestedAsset,
  contentType: string,
  reply: FastifyReply,
): Promise<Buffer> {
  const { bytes, coding } = await asset.read(reply.request.headers['accept-encoding']);
  reply.headers({
    'cache-control': isForGood ? NEVER_CHANGES : 'no-store',
    'cross-origin-resource-policy': 'same-origin',
    vary: 'Accept-Encoding',
    ...(coding && { 'content-encoding': coding }),
  });
  void reply.type(`${contentType}; charset=utf-8`);
  return bytes;
}

/**
 * Sends an image. An SVG can contain scripts, so when opened directly it has no origin, runs nothing and loads
 * nothing.
 */
function sendImage({ contentType, bytes }: Image, isShared: boolean, reply: FastifyReply): Buffer {
  if (isShared) varyByTenant(reply);
  reply.headers({
    'cache-control': NEVER_CHANGES,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    // Email programs also embed the image in their own pages.
    'cross-origin-resource-policy': 'cross-origin',
  });
  void reply.type(contentType);
  return bytes;
}

function varyByTenant(reply: FastifyReply): void {
  reply.header('vary', reply.hasHeader('vary') ? BY_TENANT_AND_ORIGIN : BY_TENANT);
}

function sendTag(
  { etag, cacheControl }: Cacheable<unknown>,
  isShared: boolean,
  reply: FastifyReply,
): void {
  if (isShared) varyByTenant(reply);
  reply.headers({ etag, 'cache-control': cacheControl });
  if (namesTag(reply.request.headers['if-none-match'], etag)) reply.code(NOT_MODIFIED);
}

/** Returns the sender for a route whose result is a stream, which is opened within its handler. */
export function streamSender(route: Route): Send {
  const contentType = route.ok.contentType ?? JSON_TYPE;
  const isShared = isTenantInRequest(route);
  return async (answer, reply) => {
    const live = (await answer) as Live<unknown>;
    if (isShared) varyByTenant(reply);
    // A buffering proxy would forward nothing.
    reply.header('x-accel-buffering', 'no').type(contentType);
    if (reply.request.method !== 'HEAD') await live.open(reply);
    return '';
  };
}

/** Returns the client's own request ID in the response. Source: OpenID AuthZEN §10.1.5. */
export function echoRequestId({ headers }: FastifyRequest, reply: FastifyReply): void {
  const id = headers['x-request-id'];
  if (id !== undefined) reply.header('x-request-id', id);
}

/** Whether If-None-Match lists this tag, weak or strong, or is `*` (RFC 9110 §13.1.2). */
export function namesTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  // Nearly every client returns exactly the tag that it received.
  if (ifNoneMatch === etag) return true;
  const tags = ifNoneMatch.split(',').map((tag) => opaque(tag.trim()));
  return tags.includes(opaque(etag)) || tags.includes('*');
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '');
}
