import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import type { Config } from './platform/config.ts';

// Hashes fill as many threads of the pool as there are cores; files and name look-ups need some beside. Set before the
// service is loaded: once the pool has started, its size is fixed.
process.env['UV_THREADPOOL_SIZE'] ??= String(availableParallelism() + 2);

const { createLog, standardOutput } = await import('./platform/log.ts');
const { VERSION } = await import('./platform/version.ts');
const { ConfigError, readConfig } = await import('./platform/config.ts');

/** Says why in one message, never with a stack unless that is asked for, and ends with the exit code of the other commands. */
async function refuse(error: unknown): Promise<never> {
  // Loaded only where it is needed: a start that goes well does without.
  const { describeFailure, exitCodeOf } = await import('./modules/operations/operator/index.ts');
  const failure = describeFailure(error);
  if (error instanceof ConfigError) console.error(error.message);
  else if (failure.code !== 'FAILED') console.error(failure.message);
  else console.error(`Keywright cannot run: ${failure.message}. ${WHERE_FROM}`);
  if (/^(trace|debug)$/.test(process.env['KEYWRIGHT_LOG_LEVEL'] ?? '')) console.error(error);
  process.exit(exitCodeOf(failure));
}

const WHERE_FROM = 'With KEYWRIGHT_LOG_LEVEL=debug it says where that comes from.';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  if (config.workers > 1 && cluster.isPrimary) await supervise(config);
  else await serve(config);
}

/** Serves nothing itself: it starts those who do, and loads no more than that takes. */
async function supervise(config: Config): Promise<void> {
  const { requireListenable } = await import('./platform/http/listen.ts');
  const { startWorkers } = await import('./platform/workers.ts');
  await requireListenable(config.host, config.port);
  const log = createLog(config.logLevel);
  const workers = startWorkers(config.workers, log);
  process.on('SIGTERM', () => workers.stop('SIGTERM'));
  process.on('SIGINT', () => workers.stop('SIGINT'));
  if (config.metricsPort !== undefined) {
    const { serveMetricsOfWorkers } = await import('./platform/telemetry/served-metrics.ts');
    await serveMetricsOfWorkers(config.host, config.metricsPort);
  }
  process.exit(await workers.ended);
}

async function serve(config: Config): Promise<void> {
  const { startKeywright } = await import('./app.ts');
  const { readWorkerNumber } = await import('./platform/workers.ts');
  const worker = readWorkerNumber();
  const log = createLog(config.logLevel, standardOutput(), worker);
  const hasChores = worker === undefined || worker === 1;
  const running = await startKeywright({ config, log, hasChores });
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
    const { welcome } = await import('./modules/operations/first-start/index.ts');
    console.log(`\n${welcome(running.baseUrl, running.firstStart, running.engine)}\n`);
  }
}

await main().catch(refuse);
