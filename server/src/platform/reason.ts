/** The first line of what an error says, and of what it says that it comes from: for people, without a stack. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason';
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(reasonOf).join(', ');
  }
  const [line = ''] = (error.message || codeOf(error)).split('\n');
  return error.cause instanceof Error ? `${line} ${reasonOf(error.cause)}` : line;
}

/** The code that Node.js, PostgreSQL or a library gave it; empty where there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
