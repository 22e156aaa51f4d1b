import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unsetVariables } from './shell-variables.ts';

const GUIDES = [
  'README.md',
  'docs/{concepts,contributing,frameworks,guide,migrate,start,tutorials}/*.md',
  'docs/troubleshooting.md',
];
const SHELL_BLOCK = /^```sh\n([^]*?)^```$/gm;
/** Words that become false when the service changes. */
const DATED = /\b(?:this version|planned|not yet)\b/gi;

/** A sentence, or a part of one, that keeps a dated word. */
export interface DatedText {
  readonly file: string;
  readonly text: string;
  readonly reason: string;
}

export const DATED_TEXTS: readonly DatedText[] = [
  {
    file: 'README.md',
    text: 'if you need SAML, SCIM (both planned) or LDAP',
    reason: 'the only place that names plans',
  },
  {
    file: 'docs/guide/command-line.md',
    text: 'functions are those of this version',
    reason: 'the version that runs the command, whichever that is',
  },
];

/** Shell variables that no earlier block of a page sets, and dated words that `allowed` does not list. */
export function findGuideProblems(root: string, allowed: readonly DatedText[]): string[] {
  const files = globSync(GUIDES, { cwd: root }).toSorted();
  return files.flatMap((file) => {
    const page = readFileSync(join(root, file), 'utf8');
    const texts = allowed.filter((entry) => entry.file === file).map(({ text }) => text);
    return [...unset(page), ...dated(page, texts)].map((problem) => `${file}  ${problem}`);
  });
}

function unset(page: string): string[] {
  const blocks = [...page.matchAll(SHELL_BLOCK)].map(([, code = '']) => code);
  return unsetVariables(blocks).map((name) => `reads $${name}, which no earlier block sets`);
}

function dated(page: string, texts: readonly string[]): string[] {
  const words = page.replace(/\s+/g, ' ');
  const gone = texts.filter((text) => !words.includes(text));
  const left = texts.reduce((rest, text) => rest.replace(text, ''), words);
  return [
    ...gone.map((text) => `no longer has "${text}": remove it from DATED_TEXTS`),
    ...[...left.matchAll(DATED)].map(
      ([word]) => `has "${word}": rewrite it, or add it to DATED_TEXTS with a reason`,
    ),
  ];
}
