import { EN } from '../src/platform/texts/en.ts';
import { namesIn, parseMessage } from '../src/platform/texts/message.ts';

/** Returns placeholders.ts: TypeScript does not read the placeholders of a text in a JSON file. */
export function placeholdersFile(): string {
  const lines = Object.entries(EN).flatMap(([key, text]) => {
    const { placeholders, tags } = namesIn(parseMessage(text));
    const names = [...placeholders, ...tags.filter((tag) => tag === 'link')];
    const union = names.map((name) => `'${name}'`).join(' | ');
    return names.length === 0 ? [] : [`  '${key}': ${union};\n`];
  });
  return `// Made from en/*.json by \`npm run generate\`.

/** The values of texts that have placeholders. The address of a text's link is also a value. */
export interface Placeholders {
${lines.join('')}}
`;
}
