import { AppError } from '@keywright/contract/errors';
import { DEFAULT_BODY_BYTES } from '@keywright/contract/route';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readBody, UnfinishedBodies } from './bodies.ts';
import { readForm } from './form.ts';
import { splitLines } from './lines.ts';
import { readJson } from './json.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Maximum size of the body. */
    bodyLimit: number;
  }
  interface FastifyInstance {
    unfinishedBodies: UnfinishedBodies;
  }
}

const JSON_TYPE = 'application/json';
const TEXT_TYPE = 'text/plain';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const LINES_TYPE = 'application/x-ndjson';
const CHARSET = /;\s*charset\s*=\s*("?)([^";]*)\1/gi;

/** Accepts only JSON bodies, unless a context also accepts forms. */
export function acceptJson(server: FastifyInstance, maxUnfinishedBytes: number): void {
  server.decorate('unfinishedBodies', new UnfinishedBodies(maxUnfinishedBytes));
  server.decorateRequest('bodyLimit', DEFAULT_BODY_BYTES);
  server.removeAllContentTypeParsers();
  accept(server, JSON_TYPE, readJson);
}

/** Makes the routes of a context accept `application/x-www-form-urlencoded` as well as JSON. */
export function acceptForms(context: FastifyInstance): void {
  accept(context, FORM_TYPE, readForm);
}

/** Makes the routes of a context also accept JSON declared as text/plain: they use no cookies. */
export function acceptText(context: FastifyInstance): void {
  accept(context, TEXT_TYPE, readJson);
}

/** Makes the routes of a context accept only forms. */
export function acceptFormsAlone(context: FastifyInstance): void {
  context.removeAllContentTypeParsers();
  acceptForms(context);
}

/** Makes the routes of a context accept JSON lines and nothing else. */
export function acceptLines(context: FastifyInstance, max: number): void {
  context.removeAllContentTypeParsers();
  accept(context, LINES_TYPE, (bytes) => splitLines(bytes, max));
}

function accept(server: FastifyInstance, type: string, read: (bytes: Buffer) => unknown): void {
  server.addContentTypeParser(type, (request, payload, done) => {
    if (!isUtf8Declared(request)) return done(new AppError('CONTENT_TYPE_UNSUPPORTED', IN_UTF8));
    readBody(request, payload, request.bodyLimit, server.unfinishedBodies, (error, bytes) => {
      if (error) return done(error);
      // An empty body counts as none, even with a content type.
      if (!bytes || bytes.length === 0) return done(null);
      try {
        return done(null, read(bytes));
      } catch (flaw) {
        return done(flaw as Error);
      }
    });
  });
}

const IN_UTF8 = { detail: 'The body must be encoded in UTF-8.' };

/** RFC 8259 §8.1: JSON is UTF-8, and no other charset is supported. */
function isUtf8Declared({ headers }: FastifyRequest): boolean {
  const type = headers['content-type'] ?? '';
  if (type.length === JSON_TYPE.length) return true;
  return [...type.matchAll(CHARSET)].every(([, , charset = '']) =>
    /^utf-?8$/i.test(charset.trim()),
  );
}
