import type { ChildProcess } from 'node:child_process';

export function hasExited({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/**
 * Waits for the end of a process. Unlike `once` of `node:events`, it does not reject when an `AbortSignal` kills the
 * process.
 */
export async function exited(child: ChildProcess): Promise<void> {
  if (!hasExited(child)) await new Promise((resolve) => child.once('exit', resolve));
}
