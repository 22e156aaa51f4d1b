import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { describeViolation, findViolations } from './dependencies.ts';

const MANIFESTS = {
  'package.json': JSON.stringify({ workspaces: ['contract', 'server', 'sdk'] }),
  'contract/package.json': JSON.stringify({
    name: '@keywright/contract',
    exports: { './*': './src/*.ts' },
  }),
  'server/package.json': JSON.stringify({
    name: '@keywright/server',
    exports: { './*': './src/*.ts' },
  }),
  'sdk/package.json': JSON.stringify({
    name: '@keywright/sdk',
    exports: {
      './express': {
        '@keywright/source': './src/adapters/express.ts',
        default: './dist/adapters/express.js',
      },
    },
  }),
};

/** The violations of a repository of these files, each as `file:line what`. */
function violationsOf(t: TestContext, files: Readonly<Record<string, string>>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'keywright-dependencies-'));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries({ ...MANIFESTS, ...files })) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return findViolations(root).map(({ file, line, what }) => `${file}:${line} ${what}`);
}

const IDENTITY = 'server/src/modules/identity';
const AUTHENTICATION = 'server/src/modules/authentication';

describe('the dependency rule', () => {
  it('The dependency rule accepts a conforming repository', (t) => {
    const found = violationsOf(t, {
      'contract/src/ids.ts': "import Type from 'typebox';\nimport { a } from 'typebox/value';\n",
      'server/src/main.ts': "import { app } from './app.ts';\n",
      'server/src/app.ts': `import '@keywright/contract/ids';\nimport './modules/identity/users/service.ts';\n`,
      'server/src/platform/db/pool.ts': "import pg from 'pg';\n",
      'server/src/platform/clock.ts': "import { hrtime } from 'node:process';\n",
      [`${IDENTITY}/users/list-store.ts`]: "import { sql } from 'kysely';\n",
      'server/src/tenancy/gate.ts':
        "import { Kysely } from 'kysely';\nimport '../platform/clock.ts';\n",
      [`${IDENTITY}/users/store.ts`]:
        "import { sql } from 'kysely';\nimport '../../../tenancy/gate.ts';\n",
      [`${IDENTITY}/users/service.ts`]: "import './store.ts';\n",
      [`${IDENTITY}/users/index.ts`]: "export { users } from './service.ts';\n",
      [`${AUTHENTICATION}/login/service.ts`]:
        "import { users } from '../../identity/users/index.ts';\n",
      [`${AUTHENTICATION}/login/service.test.ts`]:
        "import pg from 'pg';\nimport '../../identity/users/user-store.ts';\nimport '@keywright/tests/harness/x';\n",
      'tests/races/refresh.ts': "import pg from 'pg';\nimport '@keywright/server/app';\n",
      'bench/main.ts': "import '@keywright/server/app';\n",
    });
    assert.deepEqual(found, []);
  });

  it('The dependency rule ignores build output', (t) => {
    const found = violationsOf(t, {
      'server/dist/app.mjs': "import 'kysely';\n",
      'sdk/dist/client.js': "import 'undici';\n",
    });
    assert.deepEqual(found, []);
  });

  it('The dependency rule lets contract import only typebox', (t) => {
    const found = violationsOf(t, {
      'contract/src/ids.ts': "import { join } from 'node:path';\nimport 'kysely';\n",
      'contract/src/leak.ts': "import '@keywright/server/app';\n",
      'server/src/app.ts': '',
    });
    assert.deepEqual(found, [
      'contract/src/ids.ts:1 imports a Node.js built-in',
      'contract/src/ids.ts:2 imports kysely',
      'contract/src/ids.ts:2 imports kysely',
      'contract/src/leak.ts:1 imports server/src/app.ts',
    ]);
  });

  it('The dependency rule rejects an import from a lower layer into a higher one, in every form', (t) => {
    const found = violationsOf(t, {
      'server/src/app.ts': '',
      'server/src/tenancy/resolve.ts': "export { x } from '../modules/identity/users/index.ts';\n",
      'server/src/platform/static.ts': "\n\nimport { x } from '../tenancy/resolve.ts';\n",
      'server/src/platform/types.ts': "import type { X } from '../app.ts';\n",
      'server/src/platform/late.ts': "await import('../modules/identity/users/index.ts');\n",
      'server/src/platform/inline.ts': "type X = import('../tenancy/resolve.ts').X;\n",
      'server/src/platform/named.ts': "import '@keywright/server/tenancy/resolve';\n",
      [`${IDENTITY}/users/index.ts`]: '',
      [`${IDENTITY}/users/service.ts`]: "import '../../../app.ts';\n",
    });
    assert.deepEqual(found, [
      `${IDENTITY}/users/service.ts:1 imports server/src/app.ts`,
      'server/src/platform/inline.ts:1 imports server/src/tenancy/resolve.ts',
      `server/src/platform/late.ts:1 imports ${IDENTITY}/users/index.ts`,
      'server/src/platform/named.ts:1 imports server/src/tenancy/resolve.ts',
      'server/src/platform/static.ts:3 imports server/src/tenancy/resolve.ts',
      'server/src/platform/types.ts:1 imports server/src/app.ts',
      `server/src/tenancy/resolve.ts:1 imports ${IDENTITY}/users/index.ts`,
    ]);
  });

  it('The dependency rule rejects an import of a module past its index', (t) => {
    const found = violationsOf(t, {
      [`${IDENTITY}/users/rules.ts`]: '',
      [`${AUTHENTICATION}/login/service.ts`]: "import '../../identity/users/rules.ts';\n",
    });
    assert.deepEqual(found, [
      `${AUTHENTICATION}/login/service.ts:1 imports ${IDENTITY}/users/rules.ts`,
    ]);
  });

  it('The dependency rule lets only module files and the composition root import the module file of a feature', (t) => {
    const found = violationsOf(t, {
      [`${IDENTITY}/users/module.ts`]: '',
      'server/src/modules.ts': `export { x } from './modules/identity/users/module.ts';\n`,
      [`${AUTHENTICATION}/login/module.ts`]: "import '../../identity/users/module.ts';\n",
      [`${AUTHENTICATION}/login/service.ts`]: "import '../../identity/users/module.ts';\n",
    });
    assert.deepEqual(found, [
      `${AUTHENTICATION}/login/service.ts:1 imports ${IDENTITY}/users/module.ts`,
    ]);
  });

  it('The dependency rule rejects an import from an area into a later one, including types and module files', (t) => {
    const found = violationsOf(t, {
      'server/src/modules/tokens/sessions/index.ts': '',
      'server/src/modules/tokens/sessions/module.ts': '',
      'server/src/modules/oauth/clients/index.ts': '',
      'server/src/modules/oauth/grants/consent-service.ts':
        "import '../../tokens/sessions/index.ts';\n",
      'server/src/modules/oauth/grants/module.ts': "import '../../tokens/sessions/module.ts';\n",
      'server/src/modules/events/webhooks/module.ts': "import '../../tokens/sessions/module.ts';\n",
      'server/src/modules/tokens/sessions/types.ts':
        "import type { Client } from '../../oauth/clients/index.ts';\n",
    });
    assert.deepEqual(found, [
      'server/src/modules/events/webhooks/module.ts:1 imports server/src/modules/tokens/sessions/module.ts',
      'server/src/modules/tokens/sessions/types.ts:1 imports server/src/modules/oauth/clients/index.ts',
    ]);
  });

  it('The dependency rule rejects a cycle between files, types included, and names its path', (t) => {
    const found = violationsOf(t, {
      'server/src/platform/a.ts': "import './start.ts';\nimport { b } from './b.ts';\n",
      'server/src/platform/b.ts': "import type { C } from './c.ts';\n",
      'server/src/platform/c.ts': "import './a.ts';\n",
      'server/src/platform/start.ts': '',
    });
    const path = ['a', 'b', 'c', 'a'].map((name) => `server/src/platform/${name}.ts`).join(' → ');
    assert.deepEqual(found, [`server/src/platform/a.ts:2 a cycle: ${path}`]);
  });

  it('The dependency rule rejects a cycle between modules whose files have none', (t) => {
    const found = violationsOf(t, {
      [`${AUTHENTICATION}/flows/index.ts`]: "export { x } from './rules.ts';\n",
      [`${AUTHENTICATION}/flows/rules.ts`]: '',
      [`${AUTHENTICATION}/flows/service.ts`]: "import '../login/index.ts';\n",
      [`${AUTHENTICATION}/login/index.ts`]: "export { x } from './rules.ts';\n",
      [`${AUTHENTICATION}/login/rules.ts`]: '',
      [`${AUTHENTICATION}/login/service.ts`]: "import '../flows/index.ts';\n",
    });
    assert.deepEqual(found, [
      `${AUTHENTICATION}/flows/service.ts:1 modules in a cycle: authentication/flows → authentication/login → authentication/flows`,
    ]);
  });

  it('The dependency rule allows the database only in stores, the gate and platform/db', (t) => {
    const found = violationsOf(t, {
      [`${IDENTITY}/users/service.ts`]: "import type { Kysely } from 'kysely';\n",
      'server/src/platform/config.ts': "import { PGlite } from '@electric-sql/pglite';\n",
      'server/src/tenancy/resolve.ts': "import pg from 'pg';\n",
    });
    assert.deepEqual(found, [
      `${IDENTITY}/users/service.ts:1 imports kysely`,
      'server/src/platform/config.ts:1 imports @electric-sql/pglite',
      'server/src/tenancy/resolve.ts:1 imports pg',
    ]);
  });

  it('The dependency rule allows the callers of database functions only in stores and the gate', (t) => {
    const call = "import { enter } from '../../sql/tenancy/kw_enter.ts';\n";
    const found = violationsOf(t, {
      'server/sql/tenancy/kw_enter.ts': "import '../../src/platform/db/calls.ts';\n",
      'server/src/platform/db/calls.ts': '',
      'server/src/tenancy/gate.ts': call,
      'server/src/tenancy/store.ts': call,
      'server/src/tenancy/router.ts': call,
      [`${IDENTITY}/users/service.ts`]: "import '../../../../sql/tenancy/kw_enter.ts';\n",
    });
    assert.deepEqual(found, [
      `${IDENTITY}/users/service.ts:1 imports server/sql/tenancy/kw_enter.ts`,
      'server/src/tenancy/router.ts:1 imports server/sql/tenancy/kw_enter.ts',
    ]);
  });

  it('The dependency rule separates the server from the SDK, the command line and the pages', (t) => {
    const server = "import '@keywright/server/app';\n";
    const found = violationsOf(t, {
      'server/src/app.ts': "import '../../sdk/src/client.ts';\n",
      'sdk/src/client.ts': "import '@keywright/contract/ids';\n",
      'sdk/src/verifier.ts': server,
      'cli/src/main.ts': server,
      'ui/console/src/app.tsx': server,
    });
    assert.deepEqual(found, [
      'cli/src/main.ts:1 imports server/src/app.ts',
      'sdk/src/verifier.ts:1 imports server/src/app.ts',
      'server/src/app.ts:1 imports sdk/src/client.ts',
      'ui/console/src/app.tsx:1 imports server/src/app.ts',
    ]);
  });

  it('The dependency rule rejects Node.js and all packages except jose in published code', (t) => {
    const found = violationsOf(t, {
      'sdk/src/verifier.ts': "import 'jose';\nimport 'node:crypto';\nimport 'undici';\n",
      'sdk/generate/files.ts': "import 'node:fs';\nimport 'oxc-parser';\n",
      'sdk/test/issuer.ts': "import 'node:http';\nimport '../../tests/harness/until.ts';\n",
    });
    assert.deepEqual(found, [
      'sdk/src/verifier.ts:2 imports a Node.js built-in',
      'sdk/src/verifier.ts:3 imports undici',
    ]);
  });

  it('The dependency rule lets examples use what SDK users can import', (t) => {
    const found = violationsOf(t, {
      'examples/api/server.mjs':
        "import 'node:http';\nimport 'express';\nimport '@keywright/sdk/express';\nimport '@keywright/contract/ids';\n",
      'contract/src/ids.ts': '',
      'sdk/src/adapters/express.ts': '',
    });
    assert.deepEqual(found, ['examples/api/server.mjs:4 imports contract/src/ids.ts']);
  });

  it('The dependency rule rejects product code that depends on tests, bench or tools', (t) => {
    const found = violationsOf(t, {
      'server/src/platform/clock.ts': "import '../../../tests/harness/clock.ts';\n",
      'server/src/app.ts': "import './app.test.ts';\n",
      'server/src/app.test.ts': '',
    });
    assert.deepEqual(found, [
      'server/src/app.ts:1 imports server/src/app.test.ts',
      'server/src/platform/clock.ts:1 imports tests/harness/clock.ts',
    ]);
  });

  it('The dependency rule rejects meaningless names, barrels and files outside every layer', (t) => {
    const found = violationsOf(t, {
      'server/src/platform/utils/time.ts': '',
      'server/src/platform/session-manager.ts': '',
      'server/src/platform/TokenManager.ts': '',
      'tests/harness/http-helpers.ts': '',
      'contract/src/index.ts': '',
      'server/src/begin.ts': '',
    });
    assert.deepEqual(found, [
      'contract/src/index.ts:1 an index file outside a module',
      'server/src/begin.ts:1 a file outside every layer',
      'server/src/platform/TokenManager.ts:1 the name "TokenManager" does not say what is inside',
      'server/src/platform/session-manager.ts:1 the name "manager" does not say what is inside',
      'server/src/platform/utils/time.ts:1 the name "utils" does not say what is inside',
      'tests/harness/http-helpers.ts:1 the name "helpers" does not say what is inside',
    ]);
  });

  it('The dependency rule reports where, what, which rule, and how to fix it', () => {
    const text = describeViolation({
      file: 'sdk/src/client.ts',
      line: 3,
      what: 'imports server/src/app.ts',
      rule: 'sdk may import only contract, sdk',
      fix: 'use contract or the SDK',
    });
    assert.equal(
      text,
      'sdk/src/client.ts:3  imports server/src/app.ts\n' +
        '  rule: sdk may import only contract, sdk\n' +
        '  fix: use contract or the SDK',
    );
  });
});
