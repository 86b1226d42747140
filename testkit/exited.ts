import type { ChildProcess } from 'node:child_process';

export function hasExited({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Waits for the end of a process. Unlike `once` it accepts a process that an `AbortSignal` has killed. */
export async function exited(child: ChildProcess): Promise<void> {
  if (!hasExited(child)) await new Promise((resolve) => child.once('exit', resolve));
}
