/** What a command says instead of going on: one sentence or a list, for the person who gave it; never a stack. */
export class CommandFailed extends Error {
  override readonly name: string = 'CommandFailed';
  readonly exitCode: number = 1;
}

/** The command was given in a way that cannot be meant: options, files and mappings that are wrong in themselves. */
export class WrongUsage extends CommandFailed {
  override readonly name = 'WrongUsage';
  override readonly exitCode = 2;
}
