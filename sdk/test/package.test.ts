import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { TestIssuer } from './issuer.ts';
import { installSdk, packSdk, ROOT } from './packed.ts';

const run = promisify(execFile);
const TYPES = join(ROOT, 'node_modules/@types');

let project: string;
let installed: string;

before(async () => {
  project = await installSdk(await packSdk(), ['express', 'fastify', 'hono', '@types/express']);
  installed = join(project, 'node_modules/@keywright/sdk');
});

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
}

describe('the package', () => {
  test('The package contains the build output, and nothing else', async () => {
    const files = await filesOf(installed);
    const others = files.filter((file) => !/^dist\/.+\.(d\.ts|js)$/.test(file));
    assert.deepEqual(others.toSorted(), ['LICENSE', 'README.md', 'package.json']);
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as {
      readonly dependencies: object;
      readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
    };
    assert.deepEqual(manifest.dependencies, { jose: '^6' });
    for (const target of Object.values(manifest.exports)) {
      const named = typeof target === 'string' ? [target] : [target['types'], target['default']];
      for (const file of named) assert.ok(files.includes(String(file).slice(2)), String(file));
    }
  });

  test('The package imports only jose and itself, in code and types', async () => {
    const files = (await filesOf(installed)).filter((file) => file.startsWith('dist/'));
    for (const file of files) {
      const text = await readFile(join(installed, file), 'utf8');
      const specifiers = [...text.matchAll(/\s(?:from|import) '([^']+)'/g)];
      // The adapter of a framework can import that framework's types: its users have them installed.
      const framework = file.endsWith('/hono.d.ts') ? '|hono' : '';
      for (const [, specifier = ''] of specifiers) {
        assert.match(specifier, new RegExp(`^(jose${framework}|\\.{1,2}/.+\\.js)$`), file);
      }
    }
  });
});

describe('a project without TypeScript', () => {
  test('A project without TypeScript verifies tokens with the package', async (t: TestContext) => {
    const issuer = await TestIssuer.start(t);
    const { status } = issuer;
    status.revoke(0, [2]);
    await writeFile(
      join(project, 'verify.mjs'),
      `import { createVerifier, requireScope } from '@keywright/sdk';
       const [issuer, ...tokens] = process.argv.slice(2);
       const verifier = createVerifier({ issuer });
       for (const token of tokens) {
         const claims = await verifier.verify(token).catch((error) => error);
         console.log(claims.reason ?? claims.sub);
       }
       verifier.close();`,
    );
    const tokens = [issuer.mint(status.claim(1)), issuer.mint(status.claim(2)), 'x'];
    const { stdout, stderr } = await run(process.execPath, ['verify.mjs', issuer.name, ...tokens], {
      cwd: project,
    });
    assert.equal(stdout, 'user:01m7yb5394fess3wv57mn6nb7q\nrevoked\nmalformed\n');
    assert.equal(stderr, '');
  });

  test('A project without TypeScript resolves every entry point of the package', async () => {
    const program = `
      for (const name of ['', '/express', '/fastify', '/fetch', '/hono', '/koa', '/next']) {
        const module = await import('@keywright/sdk' + name);
        console.log(Object.keys(module).sort().join(' '));
      }`;
    const args = ['--input-type=module', '--eval', program];
    const { stdout } = await run(process.execPath, args, { cwd: project });
    assert.deepEqual(stdout.trim().split('\n'), [
      'ApiError ApiPromise SecretLostError SignalError VerificationError WebhookError createClient createProtectedResource createSignalReceiver createVerifier isAgent metadataAnswer refusalAnswer requireAgent requireLogin requireScope verifyWebhook',
      'answerRefusals claimsOf requireToken sendRefusal serveMetadata',
      'claimsOf keywright requireToken sendRefusal serveMetadata',
      'metadataResponse protect refusalResponse',
      'refusalResponse requireToken serveMetadata',
      'answerRefusals claimsOf requireToken sendRefusal serveMetadata',
      'metadataRoute protect refusalResponse requireToken',
    ]);
  });
});

test('The guides and the README import existing exports', async () => {
  const guides = ['verify', 'client', 'webhooks'].map((name) => `docs/guide/sdk-${name}.md`);
  for (const page of [...guides, 'sdk/README.md']) {
    const text = await readFile(join(ROOT, page), 'utf8');
    const imports = [...text.matchAll(/import \{ (.+) \} from '(@keywright\/sdk[a-z/]*)'/g)];
    assert.ok(imports.length > 0, page);
    const lines = imports.map(([, names, from]) => `import { ${names} } from '${from}';`);
    // A separate program for each line, because several import the same name.
    for (const line of lines) {
      const args = ['--input-type=module', '--eval', line];
      await run(process.execPath, args, { cwd: project });
    }
  }
});

describe('a project with TypeScript', () => {
  /** The diagnostics of a strict compilation, types of packages included. */
  async function compile(source: string, options: object = {}): Promise<string> {
    await writeFile(join(project, 'program.ts'), source);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable', 'esnext.disposable'],
      module: 'nodenext',
      types: [],
      skipLibCheck: false,
      ...options,
    };
    const config = { compilerOptions, files: ['program.ts'] };
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    return run(process.execPath, [tsc, '--pretty', 'false'], { cwd: project }).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    );
  }

  const PROGRAM = `
    import { createClient, createVerifier, requireScope, verifyWebhook } from '@keywright/sdk';
    import type { AccessTokenClaims, User, WebhookEvent } from '@keywright/sdk';
    import { claimsOf, requireToken } from '@keywright/sdk/express';
    import { keywright } from '@keywright/sdk/fastify';
    import { protect } from '@keywright/sdk/fetch';
    import type { KeywrightState } from '@keywright/sdk/koa';
    import { protect as protectRoute } from '@keywright/sdk/next';

    interface Custom { readonly department?: string }
    const verifier = createVerifier<Custom>({ issuer: 'https://id.example.com' });
    const claims = await verifier.verify('x', { scopes: ['read:reports'] });
    const { sub, scopes, department }: AccessTokenClaims & Custom = claims;
    requireScope(claims, 'read:reports');
    export const handle = protect(verifier, { agent: true }, (request, own) =>
      Response.json({ at: request.url, sub: own.sub, department: own.department ?? null }));
    const client = createClient({ baseUrl: 'https://id.example.com', tenant: 'org_a', token: 'x' });
    for await (const user of client.users.list({ role: 'admin', limit: 50 })) {
      const known: User = user;
      await client.users.update(known.id, { is_active: false });
    }
    const event: WebhookEvent = await verifyWebhook('{}', new Headers(), 'secret');
    if (event.type === 'user.created') event.data.identifiers.map((one) => one.identifier);
    export { claimsOf, department, keywright, requireToken, scopes, sub };
    const made = await client.apikeys.create({ agent_id: 'service:1', name: 'one' });
    const key: string = made.key;
    const { data, requestId } = await client.users.get('user:1').withResponse();
    const got: readonly [User, string | undefined] = [data, requestId];
    interface NextRequest extends Request { readonly nextUrl: URL }
    export const GET = protectRoute(verifier, { apiKeys: client }, (request: NextRequest, own, context: { readonly params: Promise<{ readonly id: string }> }) =>
      Response.json({ path: request.nextUrl.pathname, department: own.department, params: context.params }));
    await verifier.authenticateRequest(new Request('https://a.example'), { apiKeys: client });
    export { got, key };
    export type { KeywrightState };`;

  test('A project with TypeScript gets types that need no other package and no skipLibCheck', async () => {
    assert.equal(await compile(PROGRAM), '');
    const bundler = { module: 'esnext', moduleResolution: 'bundler' };
    assert.equal(await compile(PROGRAM, bundler), '');
  });

  const FRAMEWORKS = `
    import express from 'express';
    import { fastify } from 'fastify';
    import { Hono } from 'hono';
    import { createVerifier } from '@keywright/sdk';
    import * as forExpress from '@keywright/sdk/express';
    import * as forFastify from '@keywright/sdk/fastify';
    import { requireToken } from '@keywright/sdk/hono';

    interface Custom { readonly department?: string }
    const verifier = createVerifier<Custom>({ issuer: 'https://id.example.com' });
    export const hono = new Hono().get('/reports/:id', requireToken(verifier), (c) => {
      const { sub, department }: { sub: string; department?: string | undefined } = c.get('auth');
      // @ts-expect-error: it is text
      const wrong: number = c.get('auth').sub;
      return c.json({ wrong, sub, department, id: c.req.param('id').length });
    });
    express().get('/reports/:id', forExpress.requireToken(verifier), (request, response) => {
      // @ts-expect-error: it is text
      const wrong: number = request.params.id;
      response.json({ id: request.params.id.length, wrong });
    });
    fastify().get<{ Params: { id: string } }>('/:id', { onRequest: forFastify.requireToken(verifier) }, (request) => request.params.id.length);`;

  test('A project with TypeScript keeps the types of the frameworks, and infers the types of claims', async () => {
    const options = { skipLibCheck: true, types: ['node'], typeRoots: [TYPES] };
    assert.equal(await compile(FRAMEWORKS, options), '');
  });

  /** One in each line. */
  const MISTAKES: Readonly<Record<string, string>> = {
    'a user without a password': `client.users.create({ identifier: 'a' })`,
    'a field that a user does not have': `client.users.create({ identifier: 'a', password: 'b', role: 'c' })`,
    'a filter that there is not': `client.users.list({ name: 'x' })`,
    'a route that there is not': `client.users.rename('user:1')`,
    'a path without its id': `client.users.get()`,
    'an option that there is not': `createVerifier({ issuer: 'x', secret: 'y' })`,
    'a key of a record that lacks it': `client.apikeys.get('key_1').then(({ key }) => key)`,
    'a change of claims': `verifier.verify('x').then((claims) => { claims.sub = 'y'; })`,
    'data of another kind of event': `verifyWebhook('', {}, '').then((event) => { if (event.type === 'user.login') event.data.identifiers; })`,
  };
  test('A project with TypeScript gets a type error for each mistake', async () => {
    const head = [
      `import { createClient, createVerifier, verifyWebhook } from '@keywright/sdk';`,
      `export const verifier = createVerifier({ issuer: 'https://id.example.com' });`,
      `export const client = createClient({ baseUrl: 'https://id.example.com' });`,
      `export { verifyWebhook };`,
    ];
    const found = await compile([...head, ...Object.values(MISTAKES)].join('\n'));
    const lines = [...found.matchAll(/^program\.ts\((\d+),/gm)].map(([, line]) => Number(line));
    const expected = Object.keys(MISTAKES).map((_, index) => head.length + 1 + index);
    assert.deepEqual(lines, expected, found);
  });
});
