/**
 * Ends a command with a message for the person who gave the command. The message has a few sentences or a list, and
 * never a stack trace.
 */
export class CommandFailed extends Error {
  override readonly name: string = 'CommandFailed';
  readonly exitCode: number = 1;
}

/** The options, files or mappings of the command are wrong. */
export class WrongUsage extends CommandFailed {
  override readonly name = 'WrongUsage';
  override readonly exitCode = 2;

  /**
   * @param advice the last part of the message, which names an option that can help
   * @param line the wrong line of the file; null if the fault is not in one line
   */
  constructor(
    readonly fault: string,
    advice = '',
    readonly line: number | null = null,
  ) {
    super(advice === '' ? fault : `${fault}\n${advice}`);
  }
}
