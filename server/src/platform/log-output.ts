import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';
import { codeOf } from './reason.ts';

const STANDARD_OUTPUT = 1;
const BUFFER_BYTES = 3072;
/** Workers share a pipe, which keeps writes atomic up to this size (PIPE_BUF). */
const LONGEST_WRITE_BYTES = 4096;
/** Maximum delay until a line is written. */
const LATEST_MS = 100;
/** Maximum size of the buffer for a slow reader or a full disk. */
const LONGEST_BACKLOG_BYTES = 1024 * 1024;

/**
 * Writes log lines to standard output without ever waiting or throwing. Lines that cannot be written, because the disk
 * is full or the reader has stopped, are buffered in memory. Beyond one mebibyte, further lines are dropped and
 * counted. Once writing works again, a line reports how many were lost.
 *
 * Several lines are written together: a separate write for each line costs as much as formatting it.
 */
export class LogOutput implements DestinationStream {
  /** Number of lines dropped since the start. */
  lost = 0;
  readonly #write = writerToStandardOutput();
  readonly #format: (line: string) => string;
  /** Lines of the next write. */
  #lines = '';
  #bytes = 0;
  /** Pending writes, in order. The first can be the rest of a partial write. */
  #backlog: Buffer[] = [];
  #backlogBytes = 0;
  /** Number of lost lines not yet reported in the log. */
  #unreported = 0;

  /** @param format converts a line of JSON to the written text */
  constructor(format: (line: string) => string = (line) => line) {
    this.#format = format;
    setInterval(this.flushSync, LATEST_MS).unref();
    // Runs however the process ends, except after an uncatchable signal.
    process.once('exit', this.flushSync);
  }

  write(line: string): void {
    const text = this.#format(line);
    const length = Buffer.byteLength(text);
    if (this.#bytes + length > LONGEST_WRITE_BYTES) this.flushSync();
    this.#lines += text;
    this.#bytes += length;
    if (this.#bytes >= BUFFER_BYTES) this.flushSync();
  }

  /** pino calls this method by name. */
  flush(done?: () => void): void {
    this.flushSync();
    done?.();
  }

  /** pino calls this method by name. Writes as much as possible without waiting. */
  readonly flushSync = (): void => {
    const text = this.#lines;
    this.#lines = '';
    this.#bytes = 0;
    this.#writeBacklog();
    if (this.#unreported > 0 && this.#backlogBytes === 0) {
      this.#add(this.#format(lossNotice(this.#unreported)));
      this.#unreported = 0;
    }
    if (text !== '' && (this.#unreported > 0 || !this.#add(text))) {
      const lines = text.split('\n').length - 1;
      this.lost += lines;
      this.#unreported += lines;
    }
    this.#writeBacklog();
  };

  /** @returns false if the buffer has no room */
  #add(text: string): boolean {
    const bytes = Buffer.from(text);
    if (this.#backlogBytes + bytes.length > LONGEST_BACKLOG_BYTES) return false;
    this.#backlog.push(bytes);
    this.#backlogBytes += bytes.length;
    return true;
  }

  #writeBacklog(): void {
    for (let next = this.#backlog[0]; next !== undefined; next = this.#backlog[0]) {
      const written = this.#write(next);
      this.#backlogBytes -= written;
      if (written < next.length) {
        this.#backlog[0] = next.subarray(written);
        return;
      }
      this.#backlog.shift();
    }
  }
}

function lossNotice(lines: number): string {
  const time = new Date().toISOString();
  return `${JSON.stringify({ level: 40, time, lines, msg: 'log lines were lost: they could not be written' })}\n`;
}

/** Writes without waiting. @returns how many bytes were written */
type Write = (bytes: Buffer) => number;

function writerToStandardOutput(): Write {
  const kind = fstatSync(STANDARD_OUTPUT);
  if (kind.isSocket()) return streamWriter();
  if (kind.isFIFO() || kind.isCharacterDevice()) return pipeWriter();
  return (bytes) => tryWrite(STANDARD_OUTPUT, bytes);
}

/** After ENOSPC, EIO, EAGAIN or EPIPE, a later write can succeed. */
function tryWrite(fd: number, bytes: Buffer): number {
  try {
    return writeSync(fd, bytes);
  } catch {
    return 0;
  }
}

/**
 * A pipe or terminal is opened again, since making standard output itself non-blocking would affect other processes
 * that share it. Only Linux supports this, and only if the user is allowed to open it.
 */
function pipeWriter(): Write {
  if (process.platform !== 'linux') return streamWriter();
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
  let write: Write | undefined;
  return (bytes) => {
    if (write !== undefined) return write(bytes);
    try {
      const fd = openSync(`/proc/self/fd/${STANDARD_OUTPUT}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
      write = (more) => tryWrite(fd, more);
    } catch (error) {
      // A pipe without a reader can get one again.
      if (codeOf(error) === 'ENXIO') return 0;
      write = streamWriter();
    }
    return write(bytes);
  };
}

/**
 * Returns a writer through a Node.js stream, which buffers writes that standard output does not accept; here at most
 * one.
 */
function streamWriter(): Write {
  const { stdout } = process;
  // Without a listener, an error would end the process.
  stdout.on('error', () => undefined);
  return (bytes) => {
    if (stdout.destroyed || stdout.writableLength > 0) return 0;
    stdout.write(bytes);
    return bytes.length;
  };
}
