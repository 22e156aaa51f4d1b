// Follows a page of docs/frameworks: pastes its commands, writes its files, and starts its site.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Block, blocksOf, choicesIn } from '../e2e/guide-page.ts';
import { LongShell } from '../e2e/long-shell.ts';
import { freePort } from '../harness/program.ts';
import { temporaryDirectory } from '../harness/temporary.ts';
import { until } from '../harness/until.ts';

/** Installing packages and building can take minutes on a busy machine. */
const PATIENCE_MS = 900_000;
/** The port that all pages use. */
const PORT = /\b3000\b/g;
/** The maximum length of a site's output in an error, in characters. */
const MOST_SHOWN = 6000;

/** The values that the reader of a page chooses. */
export type Choices = Readonly<Record<'KEYWRIGHT' | 'IDENTIFIER' | 'SECRET', string>>;

export interface Site {
  readonly origin: string;
  readonly clientId: string;
  /** What the site printed. */
  output(): Promise<string>;
  close(): Promise<void>;
}

/** The environment of a developer, except that packages cannot run programs when they are installed. */
const developer = (): Record<string, string> => ({
  ...(process.env as Record<string, string>),
  // The Node.js of the tests, because some frameworks need a recent one.
  PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
  NO_PROXY: '*',
  no_proxy: '*',
  npm_config_ignore_scripts: 'true',
  npm_config_yes: 'true',
  NEXT_TELEMETRY_DISABLED: '1',
  NUXT_TELEMETRY_DISABLED: '1',
  GOTOOLCHAIN: 'local',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
});

/** Follows the page up to the command that starts the site, which is its last one. @returns the running site */
export async function followPage(page: string, choices: Choices): Promise<Site> {
  const port = await freePort();
  const [values, login, ...blocks] = blocksOf(`../frameworks/${page}`);
  const start = blocks.findLast(({ language }) => language === 'sh');
  assert.ok(values && login && start, `${page} has commands`);
  const directory = await temporaryDirectory('framework');
  const shell = new LongShell(developer(), directory, PATIENCE_MS);
  const log = join(directory, 'site.log');
  const here = ({ text }: Block) => text.replaceAll(PORT, String(port));
  try {
    await shell.run(choicesIn(values, choices));
    await shell.run(login.text);
    for (const block of blocks.slice(0, blocks.indexOf(start))) {
      if (block.language === 'sh') await shell.run(here(block));
      else if (block.file !== undefined) await write(shell, block.file, here(block));
    }
    await shell.run(`{ ${here(start)}\n} >${log} 2>&1 </dev/null &`);
    const site = new RunningSite(
      shell,
      log,
      port,
      (JSON.parse(await shell.run('echo "$APP"')) as { readonly id: string }).id,
    );
    await site.isReady();
    return site;
  } catch (error) {
    await shell.close();
    throw error;
  }
}

/** Writes a file below the current folder of the shell, or adds to a file that a command of the page created. */
async function write(shell: LongShell, file: string, text: string): Promise<void> {
  const path = join((await shell.run('pwd')).trim(), file);
  await mkdir(dirname(path), { recursive: true });
  await appendFile(path, text);
}

class RunningSite implements Site {
  readonly origin: string;
  readonly clientId: string;
  readonly #shell: LongShell;
  readonly #log: string;

  constructor(shell: LongShell, log: string, port: number, clientId: string) {
    this.#shell = shell;
    this.#log = log;
    this.origin = `http://localhost:${port}`;
    this.clientId = clientId;
  }

  async output(): Promise<string> {
    const text = existsSync(this.#log) ? await readFile(this.#log, 'utf8') : '';
    return text.slice(-MOST_SHOWN);
  }

  /** @throws with the output of the site if it ends or does not listen */
  async isReady(): Promise<void> {
    await until(
      `${this.origin} responds`,
      async () => {
        // The shell has no other background process.
        const isRunning = (await this.#shell.run('jobs -r')).trim() !== '';
        if (!isRunning) throw new Error('The site ended.');
        return fetch(this.origin, { redirect: 'manual' }).then(
          () => true,
          () => false,
        );
      },
      PATIENCE_MS,
    ).catch(async (error: unknown) => {
      throw new Error(`${String(error)}\n${await this.output()}`, { cause: error });
    });
  }

  close(): Promise<void> {
    return this.#shell.close();
  }
}
