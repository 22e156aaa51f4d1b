import { availableParallelism } from 'node:os';
import { createLog } from './platform/log.ts';
import { VERSION } from './platform/version.ts';
import { ConfigError, readConfig } from './platform/config.ts';

// Hashes fill as many threads of the pool as there are cores; files and name look-ups need some beside.
process.env['UV_THREADPOOL_SIZE'] ??= String(availableParallelism() + 2);

const { startKeywright } = await import('./app.ts');
const { welcome } = await import('./modules/first-start/index.ts');

/** Says why in one message, without a stack where the reader can mend it, and exits with 1. */
async function refuse(error: unknown): Promise<never> {
  // Loaded only where it is needed: a start that goes well does without.
  const { describeFailure } = await import('./modules/operator/index.ts');
  const { code, message } = describeFailure(error);
  if (error instanceof ConfigError) console.error(error.message);
  else console.error(code === 'FAILED' ? error : message);
  process.exit(1);
}

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const running = await startKeywright({ config, log });
  // Before anybody is told that it listens: from then on it can be asked to end.
  let isStopping = false;
  const stop = (notice: boolean) => {
    // A supervisor signals every process of a service, and one between hands it on: once more is nothing new.
    if (isStopping) return;
    isStopping = true;
    running.close(notice).then(
      () => process.exit(0),
      (error: unknown) => refuse(error),
    );
  };
  process.on('SIGTERM', () => stop(true));
  process.on('SIGINT', () => stop(false));
  log.info({ version: VERSION, url: running.url, engine: running.engine }, 'listening');
  if (running.engine === 'embedded') {
    log.warn(
      'the embedded database survives the death of the process, not the loss of power: use PostgreSQL in production',
    );
  }
  log.flush();
  if (running.firstStart) {
    console.log(`\n${welcome(running.baseUrl, running.firstStart, running.engine)}\n`);
  }
}

await main().catch(refuse);
