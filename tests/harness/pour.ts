import type { ServerResponse } from 'node:http';

/** Responds 500 with an endless body. @param report gets the number of bytes written when the connection is cut */
export function pour(response: ServerResponse, report: (bytes: number) => void): void {
  const { socket } = response;
  response.writeHead(500);
  const chunk = Buffer.alloc(64 * 1024, 'a');
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  response.once('close', () => report(socket?.bytesWritten ?? 0));
  more();
}
