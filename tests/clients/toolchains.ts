import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../harness/temporary.ts';
import { needTool, run } from './tools.ts';

const LIBRARIES = fileURLToPath(new URL('libraries', import.meta.url));

/** A program that is ready to run, with its first arguments. */
type Program = readonly [program: string, ...args: string[]];

/** Builds the program in a folder of `libraries`, in a directory that is removed afterward. @throws Missing */
type Build = (folder: string) => Promise<Program>;

async function copied(folder: string): Promise<string> {
  const cwd = await temporaryDirectory('library');
  await cp(join(LIBRARIES, folder), cwd, { recursive: true });
  return cwd;
}

/** Installs the packages pinned by the folder's lock file. */
export async function installNpm(cwd: string): Promise<void> {
  await run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd });
}

/** Installs the folder's requirements.txt. @returns the Python with these packages */
export async function installPython(cwd: string): Promise<string> {
  await run('python3', ['-m', 'venv', 'environment'], { cwd });
  const python = join(cwd, 'environment', 'bin', 'python');
  const quietly = ['install', '--quiet', '--disable-pip-version-check'];
  await run(python, ['-m', 'pip', ...quietly, '-r', 'requirements.txt'], { cwd });
  return python;
}

const buildJavaScript: Build = async (folder) => {
  await needTool('npm');
  const cwd = await copied(folder);
  await installNpm(cwd);
  return [process.execPath, join(cwd, 'verify.mjs')];
};

const buildPython: Build = async (folder) => {
  await needTool('python');
  const cwd = await copied(folder);
  return [await installPython(cwd), join(cwd, 'verify.py')];
};

const buildGo: Build = async (folder) => {
  await needTool('go');
  const cwd = await copied(folder);
  // Only the installed toolchain is used: no other compiler is downloaded.
  const env = { GOTOOLCHAIN: 'local', GOFLAGS: '-mod=readonly -buildvcs=false' };
  await run('go', ['build', '-o', 'verify', '.'], { cwd, env });
  return [join(cwd, 'verify')];
};

const buildRust: Build = async (folder) => {
  await needTool('cargo');
  const cwd = await copied(folder);
  await run('cargo', ['build', '--locked', '--quiet', '--target-dir', 'target'], { cwd });
  return [join(cwd, 'target', 'debug', 'verify')];
};

const buildPerl: Build = async (folder) => {
  await needTool('Crypt::JWT');
  return ['perl', join(await copied(folder), 'verify.pl')];
};

let java: Promise<string> | undefined;

/**
 * Builds all in one run, since Maven takes longer to start than to compile.
 * @returns the directory with the programs
 */
async function buildJavaPrograms(): Promise<string> {
  await needTool('javac');
  await needTool('mvn');
  const cwd = await copied('.');
  const classpath = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath';
  const goals = ['compile', classpath, '-Dmdep.outputFile=target/classpath'];
  await run('mvn', ['--batch-mode', '--quiet', ...goals], { cwd });
  return cwd;
}

const buildJava: Build = async (folder) => {
  java ??= buildJavaPrograms();
  const target = join(await java, folder, 'target');
  const classes = `${join(target, 'classes')}:${await readFile(join(target, 'classpath'), 'utf8')}`;
  return ['java', '-XX:TieredStopAtLevel=1', '-cp', classes.trim(), 'Verify'];
};

export const BUILDS = {
  Go: buildGo,
  Java: buildJava,
  JavaScript: buildJavaScript,
  Perl: buildPerl,
  Python: buildPython,
  Rust: buildRust,
} as const satisfies Record<string, Build>;
