import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { runsEachTime } from '../test/selection.ts';
import { DATED_TEXTS, findGuideProblems } from './guides.ts';
import { isSource, listFiles } from './source-files.ts';

const DOCUMENTS = ['*.md', '{.github,bench,cli,contract,docs,examples,sdk,server,tests}/**/*.md'];
const RECORDS = 'docs/adr/';
const THREAT_MODEL = 'docs/threat-model.md';

/** A relative link of Markdown, outside code: `[text](path#anchor)`. */
const LINK = /\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)/g;
const CODE = /^```[\s\S]*?^```|`[^`\n]*`/gm;
const HEADING = /^#{1,6} (.+)$/gm;
const STANDARDS = 'docs/standards.md';
/** A row of the tables of requirements: number, requirement, verdict, tests or reason. */
const REQUIREMENT = /^\| (?!§ |# |---)([^|]+) \|[^|]+\| ([^|]+) \|([^|]*)\|$/gm;
const CITED_RECORD = /\bADR (\d+)\b/g;
const CITED_TEST = /`([^`]+\.test\.ts)`/g;

/**
 * Problems of the documents: dead links, invalid decision records, promises and requirements without a test, and guides
 * that cannot be followed or are out of date.
 */
export function findDocumentProblems(root: string, datedTexts = DATED_TEXTS): string[] {
  const documents = globSync(DOCUMENTS, { cwd: root, exclude: ['**/node_modules'] }).toSorted();
  const records = documents.filter((file) => file.startsWith(RECORDS));
  return [
    ...documents.flatMap((file) => deadLinks(root, file)),
    ...records.flatMap((file, index) => problemsOfRecord(root, file, index + 1)),
    ...[...documents, ...listFiles(root).filter(isCode)].flatMap((file) =>
      unknownRecords(root, file, records.length),
    ),
    ...untestedPromises(root),
    ...unshownRequirements(root),
    ...findGuideProblems(root, datedTexts),
  ];
}

function isCode(file: string): boolean {
  return isSource(file) || file.endsWith('.sql');
}

function deadLinks(root: string, file: string): string[] {
  const text = read(root, file).replace(CODE, '');
  return [...text.matchAll(LINK)].flatMap(([, path = '', anchor]) => {
    const target = path === '' ? file : join(dirname(file), path);
    if (!existsSync(join(root, target)))
      return [`${file}  links to ${target}, which does not exist`];
    if (anchor === undefined || !target.endsWith('.md')) return [];
    if (anchorsOf(read(root, target)).has(anchor)) return [];
    return [`${file}  links to ${target}#${anchor}, which has no such heading`];
  });
}

/** As GitHub makes them: lower case, punctuation removed, spaces to hyphens. */
function anchorsOf(text: string): Set<string> {
  const headings = [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(HEADING)];
  return new Set(
    headings.map(([, heading = '']) =>
      heading
        .trim()
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function problemsOfRecord(root: string, file: string, number: number): string[] {
  const [title = '', , status = ''] = read(root, file).split('\n');
  const problems: string[] = [];
  if (!basename(file).startsWith(String(number).padStart(4, '0'))) {
    problems.push(`${file}  is record ${number}: numbers have no gaps and no duplicates`);
  }
  if (!title.startsWith(`# ${number}. `))
    problems.push(`${file}  the title must start with "# ${number}. "`);
  if (!status.startsWith('Status: ')) problems.push(`${file}  line 3 must start with "Status: "`);
  return problems;
}

function unknownRecords(root: string, file: string, last: number): string[] {
  return [...read(root, file).matchAll(CITED_RECORD)]
    .filter(([, number]) => Number(number) > last)
    .map(([cited]) => `${file}  cites ${cited}, which does not exist`);
}

/** Every row of the threat model names a test, and every test it names exists. */
function untestedPromises(root: string): string[] {
  if (!existsSync(join(root, THREAT_MODEL))) return [];
  const promises = read(root, THREAT_MODEL).split('\n## Promises\n')[1] ?? '';
  const missing = missingTests(root, THREAT_MODEL, promises);
  const untested = promises
    .split('\n### ')
    .flatMap((section) => {
      const rows = section.split('\n').filter((line) => /^\| (?!Promise|---)/.test(line));
      return rows.length > 0 ? rows : [section];
    })
    .filter((promise) => promise.trim() !== '' && !isShownEachTime(promise))
    .map((promise) => `${THREAT_MODEL}  has a promise without a test: ${promise.slice(0, 60)}`);
  return [...missing, ...untested];
}

function isShownEachTime(promise: string): boolean {
  return [...promise.matchAll(CITED_TEST)].some(([, test = '']) => runsEachTime(test));
}

/** Every requirement of a standard has a verdict, those that hold name a test, and every test they name exists. */
function unshownRequirements(root: string): string[] {
  if (!existsSync(join(root, STANDARDS))) return [];
  const text = read(root, STANDARDS);
  const unshown = [...text.matchAll(REQUIREMENT)]
    .filter(([, , holds = '', shown = '']) =>
      ['yes', 'partly'].includes(holds)
        ? !shown.includes('.test.ts`')
        : !['no', '–'].includes(holds) || shown.trim() === '',
    )
    .map(
      ([, number]) => `${STANDARDS}  requirement ${number} needs a verdict, and a test or reason`,
    );
  return [...missingTests(root, STANDARDS, text), ...unshown];
}

function missingTests(root: string, file: string, text: string): string[] {
  return [...text.matchAll(CITED_TEST)]
    .filter(([, test = '']) => globSync(test, { cwd: root }).length === 0)
    .map(([, test]) => `${file}  names ${test}, which does not exist`);
}

function read(root: string, file: string): string {
  return readFileSync(join(root, file), 'utf8');
}
