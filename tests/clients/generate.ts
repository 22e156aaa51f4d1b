import { cp, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../harness/temporary.ts';
import { needTool, run } from './tools.ts';
import { installNpm, installPython } from './toolchains.ts';

const PROGRAMS = fileURLToPath(new URL('generated', import.meta.url));
const GENERATOR = 'openapi-generator-cli';
const GENERATOR_VERSION = '7.14.0';

let generator: Promise<string> | undefined;

/** The jar of openapi-generator, from Maven Central. @throws Missing */
async function fetchGenerator(): Promise<string> {
  await needTool('javac');
  await needTool('mvn');
  const cwd = await temporaryDirectory('openapi-generator');
  const artifact = `-Dartifact=org.openapitools:${GENERATOR}:${GENERATOR_VERSION}`;
  const copying = ['dependency:copy', `-DoutputDirectory=${cwd}`, artifact];
  await run('mvn', ['--batch-mode', '--quiet', ...copying], { cwd });
  return join(cwd, `${GENERATOR}-${GENERATOR_VERSION}.jar`);
}

/** Generates a client from the document. @returns its folder */
async function generate(document: string, language: 'go' | 'python'): Promise<string> {
  generator ??= fetchGenerator();
  const jar = await generator;
  const cwd = await temporaryDirectory(`client-${language}`);
  const left = 'apiTests=false,modelTests=false,apiDocs=false,modelDocs=false';
  const names = 'packageName=keywright,gitUserId=example,gitRepoId=keywright';
  // One compiler pass is enough for a program that runs once.
  const java = ['-XX:TieredStopAtLevel=1', '-jar', jar, 'generate', '-i', document, '-g', language];
  const how = ['-o', 'keywright', '--global-property', left, '--additional-properties', names];
  await run('java', [...java, ...how], { cwd });
  await cp(join(PROGRAMS, language), cwd, { recursive: true });
  return cwd;
}

type Settings = Readonly<Record<string, string>>;

/** Compiles the Go client with its test program, and runs that. @returns its output */
export async function useGoClient(document: string, env: Settings): Promise<unknown> {
  // The generated client needs only the standard library.
  await needTool('go', [1, 18]);
  const cwd = await generate(document, 'go');
  await writeFile(join(cwd, 'keywright', 'go.mod'), 'module example.com/keywright\n\ngo 1.18\n');
  const build = { GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod -buildvcs=false' };
  await run('go', ['build', '-o', 'use-client', '.'], { cwd, env: build });
  return JSON.parse(await run(join(cwd, 'use-client'), [], { cwd, env })) as unknown;
}

/** The same for Python, whose client is checked as it is imported. */
export async function usePythonClient(document: string, env: Settings): Promise<unknown> {
  await needTool('python');
  const cwd = await generate(document, 'python');
  const python = await installPython(cwd);
  const PYTHONPATH = join(cwd, 'keywright');
  const printed = await run(python, ['use_client.py'], { cwd, env: { ...env, PYTHONPATH } });
  return JSON.parse(printed) as unknown;
}

/** Generates both TypeScript clients and compiles a program that uses them. */
export async function compileTypeScriptClients(document: string): Promise<void> {
  await needTool('npm');
  const cwd = await temporaryDirectory('client-typescript');
  await cp(join(PROGRAMS, 'typescript'), cwd, { recursive: true });
  await rename(join(cwd, 'use_clients.ts.txt'), join(cwd, 'use_clients.ts'));
  await installNpm(cwd);
  const bin = (name: string) => join(cwd, 'node_modules', '.bin', name);
  await run(bin('openapi-typescript'), [document, '-o', 'schema.d.ts'], { cwd });
  await run(bin('openapi-ts'), ['-i', document, '-o', 'hey-api', '--silent'], { cwd });
  await run(bin('tsc'), ['-p', 'tsconfig.json'], { cwd });
}
