import type { Printer } from '../command.ts';
import { bashScript } from '../completion/bash.ts';
import { fishScript } from '../completion/fish.ts';
import { zshScript } from '../completion/zsh.ts';

const ALL = 'It completes commands, options and files for a program named keywright.';

export const completionBash: Printer = {
  kind: 'printer',
  name: 'completion bash',
  summary: 'print a completion script for bash',
  details: `Add the second example to ~/.bashrc, or save the script in your completions folder. ${ALL}`,
  options: {},
  examples: ['keywright completion bash > keywright.bash', 'eval "$(keywright completion bash)"'],
  text: bashScript,
};

export const completionZsh: Printer = {
  kind: 'printer',
  name: 'completion zsh',
  summary: 'print a completion script for zsh',
  details: `Add the second example to ~/.zshrc, after compinit, or save the script as _keywright in a folder of fpath. ${ALL}`,
  options: {},
  examples: ['keywright completion zsh > _keywright', 'eval "$(keywright completion zsh)"'],
  text: zshScript,
};

export const completionFish: Printer = {
  kind: 'printer',
  name: 'completion fish',
  summary: 'print a completion script for fish',
  details: `Save the script in ~/.config/fish/completions. ${ALL}`,
  options: {},
  examples: ['keywright completion fish > keywright.fish'],
  text: fishScript,
};
