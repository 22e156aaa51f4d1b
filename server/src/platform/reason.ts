/** The first line of an error's message, and of its causes': for humans, without a stack. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason';
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(reasonOf).join(', ');
  }
  const [line = ''] = (error.message || codeOf(error)).split('\n');
  return error.cause instanceof Error ? `${line} ${reasonOf(error.cause)}` : line;
}

/** The code set by Node.js, PostgreSQL or a library; empty if there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
