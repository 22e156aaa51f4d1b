/**
 * Called after the last test of a process. What a failed test leaves open, a timer or a connection, would keep the
 * process alive, and `node --test` waits for it without a limit: here it fails, and says what is open.
 */
export function requireEnd(graceMs: number): void {
  setTimeout(() => {
    const open = process.getActiveResourcesInfo().join(', ');
    console.error(`still running ${graceMs} ms after the last test, because of: ${open}`);
    process.exit(1);
  }, graceMs).unref();
}
