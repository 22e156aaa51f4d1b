import assert from 'node:assert/strict';
import { join } from 'node:path';
import { inheritedEnvironment } from '../harness/child-environment.ts';
import { freePort } from '../harness/postgres.ts';
import { temporaryDirectory } from '../harness/temporary.ts';
import { type Block, blocksOf, choicesIn } from './guide-page.ts';
import { LongShell } from './long-shell.ts';

const PROGRAMS = join(import.meta.dirname, '../../node_modules/.bin');
/** Of the section "Before you start": the values that readers choose, and the login. */
const [CHOICES, LOGIN] = ['IDENTIFIER=admin@keywright.localhost', String.raw`\"$SECRET\"`];

/** Runs the service in the background until the next start, and ends the shell if it does not start. */
const START = `
  NODE=
  start() {
    if test -n "$NODE"; then kill -INT "$NODE"; wait "$NODE"; fi
    keywright serve > "$HOME/service.log" 2>&1 &
    NODE=$!
    until command curl -sf "http://localhost:$KEYWRIGHT_PORT/livez" > "$HOME/livez"; do
      kill -0 "$NODE" || { cat "$HOME/service.log"; exit 1; }
      sleep 0.2
    done
  }
  npm() {
    case "$*" in
      start) start ;;
      'run --silent keywright -- '*) keywright "\${@:5}" ;;
      *) echo "npm $* is not replaced"; exit 1 ;;
    esac
  }
  npx() { if test "$*" = 'keywright serve'; then start; else "$@"; fi; }
`;

type Values = Readonly<Record<string, string>>;

/** One shell that runs the commands of a page of the guide. An unset variable ends it. */
export class GuideShell {
  readonly #shell: LongShell;
  readonly #blocks: readonly Block[];
  readonly #pasted = new Set<Block>();

  private constructor(shell: LongShell, blocks: readonly Block[]) {
    this.#shell = shell;
    this.#blocks = blocks;
  }

  /** @param cwd default: a new folder */
  static async open(page: string, cwd?: string): Promise<GuideShell> {
    const { PATH = '', ...inherited } = inheritedEnvironment();
    const env = { ...inherited, PATH: `${PROGRAMS}:${PATH}` };
    const shell = new LongShell(env, cwd ?? (await temporaryDirectory('guide')));
    await shell.run('set -u');
    const blocks = blocksOf(page).filter(({ language }) => language === 'sh');
    return new GuideShell(shell, blocks);
  }

  /** The commands that were not pasted. */
  get left(): string[] {
    return this.#blocks.filter((block) => !this.#pasted.has(block)).map(({ text }) => text);
  }

  /** Runs commands that are not on the page. */
  run(commands: string): Promise<string> {
    return this.#shell.run(commands);
  }

  /** Replaces `npm start`, and npx for the programs of this repository. */
  async replaceStart(): Promise<void> {
    const HOME = await temporaryDirectory('home');
    await this.run(`export HOME=${HOME} KEYWRIGHT_PORT=${await freePort()}\n${START}`);
  }

  /** Follows the section "Before you start" with these values. */
  async logIn(values: Values): Promise<void> {
    await this.choose(CHOICES, values);
    await this.paste(LOGIN);
  }

  /** Sets these values instead of following the section "Before you start". */
  async start(values: Values): Promise<void> {
    for (const mark of [CHOICES, LOGIN]) this.#take(mark);
    await this.set(values);
  }

  async set(values: Values): Promise<void> {
    for (const [name, value] of Object.entries(values)) {
      await this.#shell.run(`${name}='${value}'`);
    }
  }

  /** Fills these values into the only block with this text, and pastes it. */
  async choose(mark: string, values: Values): Promise<void> {
    await this.#shell.run(choicesIn(this.#take(mark), values));
  }

  /** Pastes the only block with this text. @returns its output */
  async paste(mark: string, change = (text: string) => text): Promise<string> {
    return this.#shell.run(change(this.#take(mark).text));
  }

  /** Pastes the only block with this text. @returns its output, parsed as JSON */
  async pasteForJson<Body = Record<string, unknown>>(
    mark: string,
    change?: (text: string) => string,
  ): Promise<Body> {
    return JSON.parse(await this.paste(mark, change)) as Body;
  }

  async valueOf(variable: string): Promise<string> {
    return (await this.#shell.run(`echo "$${variable}"`)).trim();
  }

  close(): Promise<void> {
    return this.#shell.close();
  }

  #take(mark: string): Block {
    const [block, ...others] = this.#blocks.filter(({ text }) => text.includes(mark));
    assert.ok(block && others.length === 0, `one block of the guide has ${mark}`);
    this.#pasted.add(block);
    return block;
  }
}
