import type { Printer } from '../command.ts';
import { bashScript } from '../completion/bash.ts';
import { fishScript } from '../completion/fish.ts';
import { zshScript } from '../completion/zsh.ts';

const ALL = 'It completes commands, options and files for the program that is called keywright.';

export const completionBash: Printer = {
  kind: 'printer',
  name: 'completion bash',
  summary: 'prints a script that completes commands and options in bash',
  details: `Put the second example into ~/.bashrc, or the script into the folder of your completions. ${ALL}`,
  options: {},
  examples: ['keywright completion bash > keywright.bash', 'eval "$(keywright completion bash)"'],
  text: bashScript,
};

export const completionZsh: Printer = {
  kind: 'printer',
  name: 'completion zsh',
  summary: 'the same in zsh',
  details: `Put the second example into ~/.zshrc, behind compinit, or the script as _keywright into a folder of fpath. ${ALL}`,
  options: {},
  examples: ['keywright completion zsh > _keywright', 'eval "$(keywright completion zsh)"'],
  text: zshScript,
};

export const completionFish: Printer = {
  kind: 'printer',
  name: 'completion fish',
  summary: 'the same in fish',
  details: `Write the script into ~/.config/fish/completions, where fish finds it. ${ALL}`,
  options: {},
  examples: ['keywright completion fish > keywright.fish'],
  text: fishScript,
};
