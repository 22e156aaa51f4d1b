// `npm run faults`: the long form of the fault scenarios. `npm run faults -- --list` lists them.

import { inspect, parseArgs } from 'node:util';
import { shareBuild } from '../harness/build.ts';
import { seededRandom } from '../harness/random.ts';
import { codeCrashes } from './code-crashes.ts';
import { codes } from './codes.ts';
import { crashes } from './crashes.ts';
import { flood } from './flood.ts';
import { flowTiming } from './flow-timing.ts';
import { idTokenKeys } from './id-token-keys.ts';
import { importTiming } from './import-timing.ts';
import { importing } from './import.ts';
import { keys } from './keys.ts';
import { logout } from './logout.ts';
import { mail } from './mail.ts';
import { queue } from './queue.ts';
import { race } from './race.ts';
import { registrations } from './registrations.ts';
import { restarts } from './restarts.ts';
import type { Scenario } from './scenario.ts';
import { signals } from './signals.ts';
import { soak } from './soak.ts';
import { storm } from './storm.ts';
import { timing } from './timing.ts';

const SCENARIOS: readonly Scenario[] = [
  crashes,
  race,
  codes,
  codeCrashes,
  storm,
  queue,
  signals,
  registrations,
  mail,
  logout,
  keys,
  idTokenKeys,
  restarts,
  flood,
  timing,
  flowTiming,
  importTiming,
  importing,
  soak,
];
/** Takes half an hour, so it must be requested. */
const NOT_BY_ITSELF = [soak];

const USAGE = `npm run faults -- [scenario…] [--seed N] [--rounds N]

${SCENARIOS.map(({ name, about, rounds }) => `  ${name.padEnd(13)} ${about} (${rounds})`).join('\n')}

Without a scenario: all but soak.`;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function chosen(names: readonly string[]): readonly Scenario[] {
  if (names.length === 0) return SCENARIOS.filter((scenario) => !NOT_BY_ITSELF.includes(scenario));
  return names.map((name) => {
    const scenario = SCENARIOS.find((candidate) => candidate.name === name);
    if (!scenario) throw new Error(`There is no ${name}.\n\n${USAGE}`);
    return scenario;
  });
}

/** @returns whether it passed */
async function survives(scenario: Scenario, seed: number | undefined, rounds: number) {
  const random = seededRandom(seed);
  const say = (line: string) => print(`  ${line}`);
  print(`${scenario.name}: ${rounds} rounds, seed ${random.seed}`);
  const startedAt = performance.now();
  try {
    const figures = await scenario.run({ random, rounds, say });
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    print(JSON.stringify({ scenario: scenario.name, survived: true, seconds, ...figures }));
    return true;
  } catch (error) {
    print(inspect(error));
    print(JSON.stringify({ scenario: scenario.name, survived: false, seed: random.seed }));
    return false;
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    rounds: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
});
if (values.list) {
  print(USAGE);
} else {
  const seed = values.seed === undefined ? undefined : Number(values.seed);
  await shareBuild();
  for (const scenario of chosen(positionals)) {
    const rounds = Number(values.rounds ?? scenario.rounds);
    if (!(await survives(scenario, seed, rounds))) process.exitCode = 1;
  }
}
