import { parseSync, Visitor } from 'oxc-parser';

/** One small change that makes code wrong. */
export interface Break {
  readonly file: string;
  readonly line: number;
  /** Such as `negates a condition`. */
  readonly what: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

interface Node {
  readonly start: number;
  readonly end: number;
}

const OPPOSITE: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
};

/** Every break of a source file, in the order of the text. */
export function breaksOfCode(file: string, text: string): Break[] {
  const found: Break[] = [];
  const types = new Set<number>();
  const textOf = ({ start, end }: Node) => text.slice(start, end);
  const add = (what: string, { start, end }: Node, replacement: string): void => {
    found.push({ file, line: lineAt(text, start), what, start, end, replacement });
  };
  const negate = (test: Node | null): void => {
    if (test) add('negates a condition', test, `!(${textOf(test)})`);
  };
  const swap = (operator: string, left: Node, right: Node): void => {
    const other = OPPOSITE[operator];
    const start = text.indexOf(operator, left.end);
    if (other === undefined || start < 0 || start >= right.start) return;
    add(`makes ${operator} ${other}`, { start, end: start + operator.length }, other);
  };
  new Visitor({
    IfStatement: ({ test }) => negate(test),
    ConditionalExpression: ({ test }) => negate(test),
    BinaryExpression: ({ operator, left, right }) => swap(operator, left, right),
    LogicalExpression: ({ operator, left, right }) => swap(operator, left, right),
    ExpressionStatement: (node) => add('drops a statement', node, ';'),
    AwaitExpression: (node) => add('drops an await', node, `void ${textOf(node.argument)}`),
    ReturnStatement: (node) => {
      if (node.argument && textOf(node.argument) !== 'undefined')
        add('returns nothing', node, 'return undefined as never;');
    },
    // A type has no effect.
    TSLiteralType: ({ literal }) => types.add(literal.start),
    Literal: (node) => {
      if (types.has(node.start)) return;
      if (typeof node.value === 'boolean') add('turns a constant', node, String(!node.value));
      if (typeof node.value === 'number') add('changes a number', node, String(node.value + 1));
    },
  }).visit(parseSync(file, text).program);
  return found.toSorted((mutant, other) => mutant.start - other.start);
}

/** There is no SQL parser here, so these go by keywords. */
const SQL_BREAKS: readonly (readonly [pattern: RegExp, replacement: string, what: string])[] = [
  [/ AND [\w.]+ (?:= ANY \([^()]*\)|[<>=]+ [\w.[\]]+)(?=[\s)])/g, '', 'drops a condition'],
  [
    / AND (?!NOT\b)[\w.]+(?=[\s)])(?!\s+(?:[<>=(]|IS\b|IN\b|LIKE\b|BETWEEN\b))/g,
    '',
    'drops a condition',
  ],
  [/ IS NOT NULL/g, ' IS NULL', 'makes IS NOT NULL IS NULL'],
  [/ IS NULL/g, ' IS NOT NULL', 'makes IS NULL IS NOT NULL'],
  [/ > /g, ' <= ', 'makes > <='],
  [/ < /g, ' >= ', 'makes < >='],
  [/ <> /g, ' = ', 'makes <> ='],
  [/\bAND NOT /g, 'AND ', 'drops a NOT'],
  [/\btrue\b(?=;)/g, 'false', 'turns a constant'],
  [/\bfalse\b(?=;)/g, 'true', 'turns a constant'],
  [/^ *PERFORM [^;]+;/gm, '', 'drops a statement'],
  [/ FOR (?:UPDATE|SHARE|NO KEY UPDATE|KEY SHARE)(?= |;|$)/gm, '', 'drops a lock'],
  [/ ORDER BY [\w., ]+(?=;|\n|\))/g, '', 'drops an order'],
];

export function breaksOfSql(file: string, text: string): Break[] {
  const found = SQL_BREAKS.flatMap(([pattern, replacement, what]) =>
    [...text.matchAll(pattern)].map((match): Break => {
      const start = match.index;
      const end = start + match[0].length;
      return { file, line: lineAt(text, start), what, start, end, replacement };
    }),
  );
  return found
    .filter((mutant) => !isComment(text, mutant.start))
    .toSorted((a, b) => a.start - b.start);
}

function isComment(text: string, place: number): boolean {
  return text.slice(text.lastIndexOf('\n', place - 1) + 1, place).includes('--');
}

export function applied(text: string, { start, end, replacement }: Break): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

function lineAt(text: string, place: number): number {
  return text.slice(0, place).split('\n').length;
}
