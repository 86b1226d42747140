import type { Command } from 'commander';

const WIDTH = 110;

/** The reference of `docs/cli.md`: the help of each command, and of each command below it. */
export function commandReference(store: Command): string {
  return store.commands.flatMap((command) => sectionsOf(command, [])).join('\n\n');
}

function sectionsOf(command: Command, above: readonly string[]): string[] {
  const path = [...above, command.name()];
  const parts = command.commands.flatMap((each) => sectionsOf(each, path));
  return [
    `${'#'.repeat(path.length + 2)} ${path.join(' ')}\n\n\`\`\`text\n${helpOf(command)}\n\`\`\``,
    ...parts,
  ];
}

function helpOf(command: Command): string {
  let help = '';
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
    getOutHelpWidth: () => WIDTH,
    getOutHasColors: () => false,
  });
  command.outputHelp();
  return help.trim();
}
