import { SelectionError } from './selection.ts';

/** The options of the command line. */
export interface Options {
  readonly paths: readonly string[];
  /** Of `node --test`. */
  readonly flags: readonly string[];
  readonly wantsDeep: boolean;
  readonly records: boolean;
  /** Whether to run tests of unchanged screens as well. */
  readonly wantsAll: boolean;
  /** The commit since which changes select the tests; undefined: all. */
  readonly changedSince: string | undefined;
  /** The shard of the tests to run, counted from 0, in addition to the tests of a change; undefined: all. */
  readonly shard: { readonly place: number; readonly of: number } | undefined;
}

/** Options whose value is the next argument, unless they contain it. */
const WITH_VALUE = ['--shard', '--test-name-pattern', '--test-skip-pattern'];

/** @throws SelectionError for an unknown option */
export function readOptions(args: readonly string[]): Options {
  const named = joinValues(args);
  const paths = named.filter((argument) => !argument.startsWith('-'));
  const flags = named.filter((argument) => argument.startsWith('--test-'));
  const options = named.filter(
    (argument) => argument.startsWith('-') && !argument.startsWith('--test-'),
  );
  let [wantsDeep, records, wantsAll] = [false, false, false];
  let changedSince: string | undefined;
  let shard: Options['shard'];
  for (const option of options) {
    const [name, value] = option.split('=', 2);
    if (name === '--deep') wantsDeep = true;
    else if (name === '--record') records = true;
    else if (name === '--all') wantsAll = true;
    else if (name === '--changed') changedSince = value ?? 'main';
    else if (name === '--shard') shard = shardOf(value);
    else throw new SelectionError(`Unknown option ${option}.`);
  }
  return { paths, flags, wantsDeep, records, wantsAll, changedSince, shard };
}

function joinValues(args: readonly string[]): string[] {
  return args.flatMap((argument, at) => {
    if (WITH_VALUE.includes(args[at - 1] ?? '')) return [];
    return WITH_VALUE.includes(argument) ? [`${argument}=${args[at + 1] ?? ''}`] : [argument];
  });
}

function shardOf(value = ''): Options['shard'] {
  const [, place = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(value) ?? []).map(Number);
  if (place < 1 || place > of) throw new SelectionError('A shard is named as 1/4, the first of 4.');
  return { place: place - 1, of };
}
