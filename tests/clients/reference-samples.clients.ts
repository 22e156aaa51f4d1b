// The samples of the API reference: all parse in their languages, and several run against a service.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ROUTES } from '@keywright/contract/routes';
import { installSdk, packSdk } from '../../sdk/test/packed.ts';
import { EXAMPLE_ORIGIN } from '../../ui/reference/src/example-origin.ts';
import { type Language, samplesOf } from '../../ui/reference/src/samples.ts';
import { installPython } from './toolchains.ts';
import { needTool, run, unlessMissing } from './tools.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { temporaryDirectory } from '../harness/temporary.ts';
import type { TestTenant } from '../harness/tenant.ts';

/** Samples that succeed in a new tenant, with a text of their output. */
const RUNNABLE = {
  'roles.create': 'reader',
  'users.create': 'ada@example.com',
  'users.list': 'identifiers',
  'workspaces.create': 'Research',
  'auth.methods': 'password',
  'audit.list': 'user.created',
} as const;

let keywright: Keywright;

before(async () => {
  keywright = await startKeywright({ env: { KEYWRIGHT_BASE_URL: undefined } });
});
after(() => keywright.close());

/** Writes the samples of a language into a directory. */
async function writeSamples(language: Language, ending: string): Promise<string> {
  const cwd = await temporaryDirectory('samples');
  for (const route of ROUTES) {
    await writeFile(join(cwd, `${route.id}.${ending}`), `${samplesOf(route)[language]}\n`);
  }
  return cwd;
}

function sampleFor(id: string, language: Language, tenant: TestTenant): string {
  const route = ROUTES.find((candidate) => candidate.id === id);
  assert.ok(route, id);
  const { [language]: sample } = samplesOf(route);
  return sample
    .replaceAll(EXAMPLE_ORIGIN, keywright.nodes[0]?.baseUrl ?? '')
    .replaceAll('org_acme', tenant.id);
}

/** Runs the runnable samples of a language. @param execute runs the program in a file and returns its output */
async function runSamples(
  language: Language,
  ending: string,
  cwd: string,
  execute: (file: string, env: Record<string, string>) => Promise<string>,
): Promise<void> {
  const tenant = await keywright.tenant(`samples-${language}`);
  const env = { KEYWRIGHT_TOKEN: await tenant.adminToken() };
  for (const [id, output] of Object.entries(RUNNABLE)) {
    const folder = join(cwd, id.replace('.', '-'));
    await mkdir(folder);
    const file = join(folder, `sample.${ending}`);
    await writeFile(file, `${sampleFor(id, language, tenant)}\n`);
    const printed = await execute(file, env);
    assert.ok(printed.includes(output), `${id}: ${printed}`);
  }
}

describe('the samples of the API reference', () => {
  test('Samples in JavaScript run with the packed SDK', async () => {
    const cwd = await installSdk(await packSdk());
    await runSamples('js', 'mjs', cwd, (file, env) => run(process.execPath, [file], { cwd, env }));
  });

  test('Every sample in curl is a valid shell command, and several run', async () => {
    const cwd = await writeSamples('curl', 'sh');
    await run('sh', ['-s'], { cwd }, 'for f in *.sh; do sh -n "$f" || exit 1; done');
    await runSamples('curl', 'sh', cwd, (file, env) =>
      run('sh', ['-s'], { cwd, env }, `. '${file}'`),
    );
  });

  test('Every sample in Python parses, and several run', async (context) => {
    await unlessMissing(context, async () => {
      await needTool('python');
      const cwd = await writeSamples('python', 'py');
      const parse = 'import ast, glob\nfor f in glob.glob("*.py"): ast.parse(open(f).read())';
      await run('python3', ['-c', parse], { cwd });
      await writeFile(join(cwd, 'requirements.txt'), 'requests==2.34.2\n');
      const python = await installPython(cwd);
      await runSamples('python', 'py', cwd, (file, env) => run(python, [file], { cwd, env }));
    });
  });

  test('Every sample in Go is formatted as gofmt does, and several run', async (context) => {
    await unlessMissing(context, async () => {
      await needTool('go');
      const cwd = await writeSamples('go', 'go');
      assert.equal(await run('gofmt', ['-l', '.'], { cwd }), '');
      const toolchain = { GOTOOLCHAIN: 'local', GO111MODULE: 'off' };
      await runSamples('go', 'go', cwd, (file, env) =>
        run('go', ['run', file], { cwd, env: { ...env, ...toolchain } }),
      );
    });
  });
});
