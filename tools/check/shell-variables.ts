/** What every shell has without a page setting it. */
const ENVIRONMENT = ['HOME', 'PATH', 'PWD', 'SHELL', 'TMPDIR', 'USER'];
/** Words after which another command starts. */
const KEYWORDS = new Set([
  '!',
  '{',
  '}',
  'do',
  'done',
  'else',
  'fi',
  'if',
  'then',
  'until',
  'while',
]);
/** Commands whose arguments are names of variables. */
const SETTERS = new Set(['declare', 'export', 'local', 'read', 'readonly', 'set']);
const REFERENCE = /\$(?:\{[A-Za-z_]\w*(?!\w|:?[-+=])|[A-Za-z_]\w*)/g;
/** `<<END`, or `<<'END'`, in which nothing is expanded. */
const HEREDOC = /<<-?\s*(['"]?)(\w+)\1/y;

/** @returns the variables that blocks of shell code, pasted in order, read before they set them */
export function unsetVariables(blocks: readonly string[]): string[] {
  const defined = new Set(ENVIRONMENT);
  return [...new Set(blocks.flatMap((block) => new ShellReader(block, defined).read()))];
}

/**
 * Reads as much of the shell's grammar as guides use. `NAME=value` before a command sets the variable only for that
 * command. Lines `NAME=value` of a heredoc count as set, because guides write settings in this way and load the file.
 */
class ShellReader {
  readonly #code: string;
  readonly #defined: Set<string>;
  readonly #unset: string[] = [];
  readonly #heredocs: { readonly end: string; readonly isExpanded: boolean }[] = [];
  #at = 0;

  constructor(code: string, defined: Set<string>) {
    this.#code = code;
    this.#defined = defined;
  }

  read(): string[] {
    while (this.#at < this.#code.length) this.#readCommand();
    return this.#unset;
  }

  /** One command, with the operator that ends it. @returns whether it ends at a closing parenthesis */
  #readCommand(): boolean {
    const assigned: string[] = [];
    let place: 'command' | 'names' | 'arguments' = 'command';
    for (;;) {
      if (this.#take(/(?:[^\S\n]|\\\n)+|#.*/y) !== undefined) continue;
      const end = this.#take(/\n|[;&|]+|[()]|$/y);
      if (end !== undefined) {
        if (place === 'command') this.#set(...assigned);
        if (end === '\n') this.#readHeredocs();
        if (end === '(') while (!this.#readCommand());
        return end === ')' || end === '';
      }
      const loop = place === 'command' ? this.#take(/for\s+\w+/y) : undefined;
      const name = this.#take(/[A-Za-z_]\w*(?=\+?=)/y);
      const word = this.#readWord();
      if (loop !== undefined) this.#set(loop.split(/\s+/).at(-1) ?? '');
      else if (place === 'names') this.#set(name ?? word);
      else if (place === 'arguments' || KEYWORDS.has(word)) continue;
      else if (name !== undefined) assigned.push(name);
      else place = SETTERS.has(word) ? 'names' : 'arguments';
    }
  }

  /** @returns its text, if it is plain */
  #readWord(): string {
    let text = '';
    for (;;) {
      const plain = this.#take(/[^\s;&|()'"$\\<]+/y);
      if (plain !== undefined) text += plain;
      else if (this.#take(/\\[^]?|'[^']*'?/y) === undefined && !this.#readExpansion()) return text;
    }
  }

  #readExpansion(): boolean {
    if (this.#take(/\$\(/y) !== undefined) {
      while (!this.#readCommand());
      return true;
    }
    if (this.#take(/"/y) !== undefined) {
      while (this.#take(/"|$/y) === undefined) {
        if (this.#take(/\\[^]/y) === undefined && !this.#readDollar()) this.#at++;
      }
      return true;
    }
    if (this.#take(/<<</y) !== undefined) return true;
    return this.#queueHeredoc() || this.#readDollar() || this.#take(/[<$]/y) !== undefined;
  }

  #readDollar(): boolean {
    if (this.#code.startsWith('$(', this.#at)) return this.#readExpansion();
    const reference = this.#take(new RegExp(REFERENCE, 'y'));
    if (reference !== undefined) this.#refer(reference);
    return reference !== undefined;
  }

  #queueHeredoc(): boolean {
    HEREDOC.lastIndex = this.#at;
    const [found = '', quote, end = ''] = HEREDOC.exec(this.#code) ?? [];
    this.#at += found.length;
    if (found !== '') this.#heredocs.push({ end, isExpanded: quote === '' });
    return found !== '';
  }

  #readHeredocs(): void {
    for (const { end, isExpanded } of this.#heredocs.splice(0)) {
      const body = this.#take(new RegExp(`[^]*?^${end}$`, 'my')) ?? '';
      this.#set(...[...body.matchAll(/^([A-Za-z_]\w*)=/gm)].map(([, name = '']) => name));
      if (isExpanded) for (const [reference] of body.matchAll(REFERENCE)) this.#refer(reference);
    }
  }

  #refer(reference: string): void {
    const name = reference.replace(/^\$\{?/, '');
    if (!this.#defined.has(name)) this.#unset.push(name);
  }

  #set(...names: readonly string[]): void {
    for (const name of names) this.#defined.add(name);
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#code) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }
}
