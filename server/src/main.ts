import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Config } from './platform/config.ts';

// Hashes occupy one pool thread per core; files and DNS need some more. Set before the service is loaded, because the
// size of the pool is fixed once it has started.
process.env['UV_THREADPOOL_SIZE'] ??= String(availableParallelism() + 2);

const { openLog, standardOutput } = await import('./platform/log.ts');
const { VERSION } = await import('./platform/version.ts');
const { ConfigError, readConfig } = await import('./platform/config.ts');

/**
 * Prints the reason as one message, with a stack only if requested, and exits with the same codes as other commands.
 */
async function refuse(error: unknown): Promise<never> {
  // Loaded on demand: a successful start does not need it.
  const { describeFailure, exitCodeOf } = await import('./modules/operations/operator/index.ts');
  const failure = describeFailure(error);
  if (error instanceof ConfigError) console.error(error.message);
  else if (failure.code !== 'FAILED') console.error(failure.message);
  else console.error(`Keywright cannot run: ${failure.message}. ${WHERE_FROM}`);
  if (/^(trace|debug)$/.test(process.env['KEYWRIGHT_LOG_LEVEL'] ?? '')) console.error(error);
  process.exit(exitCodeOf(failure));
}

const WHERE_FROM = 'Set KEYWRIGHT_LOG_LEVEL=debug to see the stack trace.';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  if (config.workers > 1 && cluster.isPrimary) await supervise(config);
  else await serve(config);
}

/** Starts the workers. Serves no requests itself, so it loads only what the workers need. */
async function supervise(config: Config): Promise<void> {
  const { requireListenable } = await import('./platform/http/listen.ts');
  const { startWorkers } = await import('./platform/workers.ts');
  await requireListenable(config.host, config.port);
  const log = openLog(config.logLevel);
  const workers = startWorkers(config.workers, log);
  process.on('SIGTERM', () => workers.stop('SIGTERM'));
  process.on('SIGINT', () => workers.stop('SIGINT'));
  if (config.metricsPort !== undefined) {
    const { serveMetricsOfWorkers } = await import('./platform/telemetry/served-metrics.ts');
    await serveMetricsOfWorkers(config.host, config.metricsPort);
  }
  process.exit(await workers.ended);
}

/** Most code of a start runs only once: optimizing it would cost time and memory (ADR 26). */
const STARTING = ['--no-maglev', '--no-turbofan'];
/** As Node.js has them. */
const STARTED = ['--maglev', '--turbofan'];

/**
 * Collects the garbage of the start, including the bytecode of code that ran once, which V8 would otherwise keep until
 * memory is short (ADR 26). Takes as long as a few password hashes, once.
 */
function collectLeftovers(): void {
  setFlagsFromString('--expose-gc');
  // Existing contexts do not get the function.
  const collect = runInNewContext('gc') as NonNullable<typeof globalThis.gc>;
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

async function serve(config: Config): Promise<void> {
  for (const flag of STARTING) setFlagsFromString(flag);
  const { readWorkerNumber } = await import('./platform/workers.ts');
  const worker = readWorkerNumber();
  const log = openLog(config.logLevel, standardOutput(), worker);
  const hasChores = worker === undefined || worker === 1;
  const { openDatabase } = await import('./platform/db/probe.ts');
  // The database connects while the remaining code loads.
  const [database, { startKeywright }] = await Promise.all([
    openDatabase(config, log),
    import('./app.ts'),
  ]);
  const running = await startKeywright({ config, database, log, hasChores });
  for (const flag of STARTED) setFlagsFromString(flag);
  // Registered before the start is announced: from then on, the process can receive signals.
  let isStopping = false;
  const stop = (notice: boolean) => {
    // Supervisors signal every process of a service, and parents forward signals: repeated signals are ignored.
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
    const { announceOwner } = await import('./platform/db/directory-lock.ts');
    announceOwner(config.dataDir, running.baseUrl);
    log.warn(
      'the embedded database survives a crash of the process, but not a power failure: use PostgreSQL in production',
    );
  }
  log.flush();
  if (running.firstStart) {
    const { welcome } = await import('./modules/operations/installation/welcome.ts');
    console.log(`\n${welcome(running.firstStart, { ...running, ...running.messages })}\n`);
  }
  collectLeftovers();
}

await main().catch(refuse);
