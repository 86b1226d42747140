import type { ChildProcess } from 'node:child_process';

export function hasExited({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Waits for its end; unlike `once` it does not mind that it was killed by an `AbortSignal`. */
export async function exited(child: ChildProcess): Promise<void> {
  if (!hasExited(child)) await new Promise((resolve) => child.once('exit', resolve));
}
