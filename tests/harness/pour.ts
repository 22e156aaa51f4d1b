import type { ServerResponse } from 'node:http';

/** Answers 500, and never ends. @param told how many bytes went out until the connection was cut off */
export function pour(response: ServerResponse, told: (bytes: number) => void): void {
  const { socket } = response;
  response.writeHead(500);
  const chunk = Buffer.alloc(64 * 1024, 'a');
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  response.once('close', () => told(socket?.bytesWritten ?? 0));
  more();
}
