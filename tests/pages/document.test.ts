import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApiDocument } from '@keywright/contract/openapi';
import { NOTES_ROUTES } from './notes-routes.ts';

interface Response {
  readonly headers: object;
  readonly content?: object;
}

interface Operation {
  readonly security: object[];
  readonly requestBody?: { readonly content: object };
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
}

test('The OpenAPI document describes pages: their content, their redirects, and the cookies they set and need', () => {
  const document = openApiDocument(NOTES_ROUTES, '1') as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    readonly components: { readonly responses: Readonly<Record<string, Response>> };
  };
  const { get: page, post: form } = document.paths['/t/{tenant_id}/test/enter'] ?? {};
  const shown = page?.responses['200'] as Response;
  assert.deepEqual(Object.keys(shown.content ?? {}), ['text/html']);
  assert.ok('Set-Cookie' in shown.headers);
  const led = form?.responses['303'] as Response;
  assert.ok('Location' in led.headers && 'Set-Cookie' in led.headers);
  assert.equal(led.content, undefined);
  const { content = {} } = form?.requestBody ?? {};
  assert.deepEqual(Object.keys(content), ['application/x-www-form-urlencoded']);
  for (const response of Object.values(document.components.responses)) {
    assert.deepEqual(Object.keys(response.content ?? {}), ['text/html']);
  }
  const { get: notes } = document.paths['/t/{tenant_id}/test/notes'] ?? {};
  assert.deepEqual(notes?.security, [{ browser: [] }]);
});
