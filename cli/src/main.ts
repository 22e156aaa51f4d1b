import { runAttached } from './child.mjs';
import { EXIT } from './command.ts';
import { operate, SERVICE_FLAGS, serverProgram } from './operate.ts';
import { run } from './run.ts';

// The reader has closed the pipe, as `head` does.
process.stdout.on('error', () => process.exit(EXIT.failed));

process.exitCode = await run(process.argv.slice(2), {
  operate,
  serve: () => runAttached(process.execPath, [...SERVICE_FLAGS, serverProgram('start')]),
  environment: process.env,
  input: process.stdin,
  print: (text) => process.stdout.write(`${text}\n`),
  printError: (text) => process.stderr.write(`${text}\n`),
});
