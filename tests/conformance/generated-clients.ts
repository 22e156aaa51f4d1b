import { execFile } from 'node:child_process';
import { cp, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../harness/temporary.ts';

const run = promisify(execFile);
const PROGRAMS = fileURLToPath(new URL('clients', import.meta.url));
/** For programs that hang; none is meant to come near it. */
const DEADLINE_MS = 600_000;

/** Something that is not installed, in words that say what to install. */
export class Missing extends Error {}

const GENERATOR_VARIABLE = 'KEYWRIGHT_TEST_OPENAPI_GENERATOR';
const PYTHON_VARIABLE = 'KEYWRIGHT_TEST_PYTHON';
const TYPESCRIPT_VARIABLE = 'KEYWRIGHT_TEST_TYPESCRIPT_CLIENTS';
const MODULES = ['urllib3', 'pydantic', 'dateutil', 'typing_extensions'];

/** The jar of openapi-generator-cli. @throws Missing */
async function findGenerator(): Promise<string> {
  const jar = process.env[GENERATOR_VARIABLE];
  if (jar === undefined) {
    throw new Missing(
      `${GENERATOR_VARIABLE} does not name the jar of openapi-generator. Get it from Maven Central: mvn dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:7.14.0`,
    );
  }
  await attempt(
    'java',
    ['-jar', jar, 'version'],
    'Install a Java runtime (Debian: default-jre-headless).',
  );
  return jar;
}

/** @throws Missing, with what to do */
async function attempt(program: string, args: readonly string[], advice: string): Promise<void> {
  await run(program, args, { timeout: DEADLINE_MS }).catch((error: Error) => {
    throw new Missing(`${advice} (${error.message})`);
  });
}

/** Generates a client from the document. @returns where it is */
async function generate(document: string, language: 'go' | 'python'): Promise<string> {
  const jar = await findGenerator();
  const directory = await temporaryDirectory(`client-${language}`);
  const output = join(directory, 'keywright');
  const left = 'apiTests=false,modelTests=false,apiDocs=false,modelDocs=false';
  const names = 'packageName=keywright,gitUserId=example,gitRepoId=keywright';
  await run(
    'java',
    // One compiler is enough for a program that runs once.
    [
      '-XX:TieredStopAtLevel=1',
      '-jar',
      jar,
      'generate',
      '-i',
      document,
      '-g',
      language,
      '-o',
      output,
    ].concat(['--global-property', left, '--additional-properties', names]),
    { timeout: DEADLINE_MS, maxBuffer: 64 * 1024 * 1024 },
  );
  await cp(join(PROGRAMS, language), directory, { recursive: true });
  return directory;
}

type Settings = Readonly<Record<string, string>>;

/** Compiles the Go client with the program that uses it, and runs that. @returns what it prints */
export async function useGoClient(document: string, settings: Settings): Promise<unknown> {
  await attempt('go', ['version'], 'Install Go.');
  const cwd = await generate(document, 'go');
  // The generated client needs nothing but the standard library.
  const build = { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod -buildvcs=false' };
  await writeFile(join(cwd, 'keywright', 'go.mod'), 'module example.com/keywright\n\ngo 1.18\n');
  await run('go', ['build', '-o', 'use-client', '.'], { cwd, env: build, timeout: DEADLINE_MS });
  return printed(join(cwd, 'use-client'), [], cwd, settings);
}

/** The same for Python, whose client is checked as it is imported. */
export async function usePythonClient(document: string, settings: Settings): Promise<unknown> {
  const python = process.env[PYTHON_VARIABLE] ?? 'python3';
  const advice = `Install what the client needs: ${python} -m pip install urllib3 pydantic python-dateutil typing-extensions lazy-imports`;
  await attempt(python, ['-c', `import ${MODULES.join(', ')}`], advice);
  const cwd = await generate(document, 'python');
  const path = join(cwd, 'keywright');
  return printed(python, ['use_client.py'], cwd, { ...settings, PYTHONPATH: path });
}

async function printed(program: string, args: string[], cwd: string, settings: Settings) {
  const env = { ...process.env, ...settings, NO_PROXY: '*', no_proxy: '*' };
  const { stdout } = await run(program, args, { cwd, env, timeout: DEADLINE_MS });
  return JSON.parse(stdout) as unknown;
}

/** Generates both TypeScript clients and compiles a program that uses them. */
export async function compileTypeScriptClients(document: string): Promise<void> {
  const installed = process.env[TYPESCRIPT_VARIABLE];
  if (installed === undefined) {
    throw new Missing(
      `${TYPESCRIPT_VARIABLE} names no folder. Copy tests/conformance/clients/typescript to one, and run npm ci there.`,
    );
  }
  const cwd = await temporaryDirectory('client-typescript');
  await cp(join(PROGRAMS, 'typescript'), cwd, { recursive: true });
  await rename(join(cwd, 'use_clients.ts.txt'), join(cwd, 'use_clients.ts'));
  await symlink(join(installed, 'node_modules'), join(cwd, 'node_modules'));
  const bin = (name: string) => join(cwd, 'node_modules', '.bin', name);
  const options = { cwd, timeout: DEADLINE_MS };
  await run(bin('openapi-typescript'), [document, '-o', 'schema.d.ts'], options);
  await run(bin('openapi-ts'), ['-i', document, '-o', 'hey-api', '--silent'], options);
  await run(bin('tsc'), ['-p', 'tsconfig.json'], options).catch(
    (error: Error & { readonly stdout?: string }) => {
      throw new Error(`The TypeScript clients do not compile:\n${error.stdout ?? error.message}`);
    },
  );
}
