import { execFile } from 'node:child_process';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';

const execute = promisify(execFile);
/** A limit for programs that hang; far above any normal run. */
const DEADLINE_MS = 900_000;

type Settings = Readonly<Record<string, string>>;

interface Place {
  readonly cwd: string;
  /** Variables in addition to those of this process. */
  readonly env?: Settings;
}

/** Runs a program to completion. @returns its output. @throws with all of its output */
export async function run(
  program: string,
  args: readonly string[],
  { cwd, env = {} }: Place,
  input = '',
): Promise<string> {
  const running = execute(program, args, {
    cwd,
    env: { ...process.env, NO_PROXY: '*', no_proxy: '*', ...env },
    timeout: DEADLINE_MS,
    maxBuffer: 64 * 1024 * 1024,
  });
  running.child.stdin?.end(input);
  try {
    return (await running).stdout;
  } catch (error) {
    const { message, stdout = '', stderr = '' } = error as Error & Partial<Streams>;
    throw new Error(`${program} failed: ${message}\n${stdout}${stderr}`, { cause: error });
  }
}

interface Streams {
  readonly stdout: string;
  readonly stderr: string;
}

/** A missing tool, with a message that says what to install. */
class Missing extends Error {}

/** A tool that is installed, but older than required. */
class TooOld extends Missing {}

interface Tool {
  /** The command that prints its version. */
  readonly versionCommand: readonly [program: string, ...args: string[]];
  readonly version: RegExp;
  /** The oldest sufficient version: major and minor. */
  readonly atLeast: readonly [number, number];
  readonly advice: string;
}

const TOOLS = {
  npm: {
    versionCommand: ['npm', '--version'],
    version: /(\d+)\.(\d+)/,
    atLeast: [7, 0],
    advice: 'Install npm 7 or newer.',
  },
  python: {
    versionCommand: ['python3', '-c', 'import ensurepip, sys, venv; print("Python", sys.version)'],
    version: /Python (\d+)\.(\d+)/,
    atLeast: [3, 10],
    advice: 'Install Python 3.10 or newer with venv (Debian: python3-venv).',
  },
  go: {
    versionCommand: ['go', 'version'],
    version: /go(\d+)\.(\d+)/,
    atLeast: [1, 25],
    advice: 'Install Go 1.25 or newer.',
  },
  cargo: {
    versionCommand: ['cargo', '--version'],
    version: /cargo (\d+)\.(\d+)/,
    atLeast: [1, 88],
    advice: 'Install Rust 1.88 or newer, with cargo and a linker.',
  },
  javac: {
    versionCommand: ['javac', '-version'],
    version: /javac (\d+)(?:\.(\d+))?/,
    atLeast: [17, 0],
    advice: 'Install a JDK of Java 17 or newer (Debian: default-jdk-headless).',
  },
  mvn: {
    versionCommand: ['mvn', '--version'],
    version: /Maven (\d+)\.(\d+)/,
    atLeast: [3, 6],
    advice: 'Install Maven 3.6 or newer (Debian: maven).',
  },
  mod_auth_openidc: {
    versionCommand: ['dpkg-query', '--show', 'libapache2-mod-auth-openidc'],
    version: /\t(\d+)\.(\d+)/,
    atLeast: [2, 4],
    advice: 'Install it with Apache (Debian: libapache2-mod-auth-openidc).',
  },
  'Crypt::JWT': {
    versionCommand: ['perl', '-MCrypt::JWT', '-e', 'print "Crypt::JWT $Crypt::JWT::VERSION"'],
    version: /Crypt::JWT (\d+)\.(\d+)/,
    atLeast: [0, 34],
    advice: 'Install Crypt::JWT 0.034 or newer for Perl (Debian: libcrypt-jwt-perl).',
  },
} as const satisfies Record<string, Tool>;

/** @param atLeast a lower minimum version, if sufficient @throws Missing */
export async function needTool(
  name: keyof typeof TOOLS,
  atLeast: readonly [number, number] = TOOLS[name].atLeast,
): Promise<void> {
  const { versionCommand, version, advice } = TOOLS[name];
  const [program, ...args] = versionCommand;
  const { stdout, stderr } = await execute(program, args, { timeout: DEADLINE_MS }).catch(() => {
    throw new Missing(`There is no ${name} here. ${advice}`);
  });
  const [, major = 0, minor = 0] = version.exec(`${stdout}${stderr}`) ?? [];
  const isEnough =
    Number(major) > atLeast[0] || (Number(major) === atLeast[0] && Number(minor) >= atLeast[1]);
  if (!isEnough) throw new TooOld(`${name} ${major}.${minor} is too old here. ${advice}`);
}

/**
 * A missing tool skips the test with a message. In continuous integration it fails: .ci/run installs Debian's packages.
 */
export async function unlessMissing(
  context: TestContext,
  work: () => Promise<void>,
): Promise<void> {
  await work().catch((error: unknown) => {
    if (!(error instanceof Missing)) throw error;
    if (process.env['CI'] !== undefined && !(error instanceof TooOld)) throw error;
    context.skip(error.message);
  });
}
