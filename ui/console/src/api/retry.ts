import { asProblem, isPassing } from './problem.ts';

const MAX_TRIES = 5;

/**
 * Retries work that can succeed a moment later and is safe to repeat.
 * @throws Problem, or the reason of the signal
 */
export async function withRetries<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const problem = asProblem(error);
      if (signal.aborted || tries === MAX_TRIES || !isPassing(problem)) throw error;
      await pause((problem.retryAfter ?? 0.5 * 2 ** tries) * 1000, signal);
    }
  }
}

/** @throws the reason of the signal, when it aborts first */
function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, durationMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}
