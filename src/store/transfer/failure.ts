/** Ends a command with a message: one sentence or a list, for the person who gave the command; never a stack. */
export class CommandFailed extends Error {
  override readonly name: string = 'CommandFailed';
  readonly exitCode: number = 1;
}

/** The command was given wrongly: its options, files or mappings are wrong in themselves. */
export class WrongUsage extends CommandFailed {
  override readonly name = 'WrongUsage';
  override readonly exitCode = 2;

  /** @param advice what can be done with the options of the command; it is the end of the message */
  constructor(
    readonly fault: string,
    advice = '',
  ) {
    super(advice === '' ? fault : `${fault}\n${advice}`);
  }
}
