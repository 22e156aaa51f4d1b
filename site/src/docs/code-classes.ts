// Colors of code by short classes: as style attributes on each token, they would be half of a page with much code.

interface Node {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: Node[] | undefined;
}

const CLASSES: Readonly<Record<string, string>> = {
  keyword: 'k',
  string: 's',
  'string-expression': 's',
  comment: 'c',
  function: 'f',
  constant: 'n',
  parameter: 'p',
  inserted: 'i',
  deleted: 'd',
  link: 's',
};
const COLOR = /--astro-code-token-([a-z-]+)/;

/** A transformer of Shiki that keeps only tokens with a color, and no lines, which nothing here counts. */
export const codeClasses = {
  name: 'code-classes',
  pre(node: Node): void {
    node.properties = { ...node.properties, style: undefined };
  },
  code(node: Node): void {
    const tokens = node.children?.flatMap((line) =>
      line.tagName === 'span' ? (line.children ?? []).flatMap(tokenOf) : [line],
    );
    node.children = joined(tokens ?? []);
  },
};

function tokenOf(token: Node): Node[] {
  const style = token.properties?.['style'];
  const [, kind = ''] = COLOR.exec(typeof style === 'string' ? style : '') ?? [];
  const name = CLASSES[kind];
  const isWord = token.children?.some(({ value = '' }) => /[\p{L}\p{N}]/u.test(value)) ?? false;
  if (name === undefined || !isWord) return token.children ?? [];
  return [{ ...token, tagName: 'i', properties: { class: name } }];
}

/** Joins neighbors of the same color. */
function joined(tokens: readonly Node[]): Node[] {
  const result: Node[] = [];
  for (const token of tokens) {
    const last = result.at(-1);
    const name = token.properties?.['class'];
    if (last !== undefined && name !== undefined && name === last.properties?.['class']) {
      last.children = [...(last.children ?? []), ...(token.children ?? [])];
    } else {
      result.push(token);
    }
  }
  return result;
}
