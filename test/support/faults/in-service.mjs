import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

/**
 * For a fault that is preloaded into a proof: the proof preloads it into the services that it starts.
 *
 * @param {string} file the URL of the module with the fault
 * @param {() => void} plant is called in the service
 */
export function inService(file, plant) {
  if (process.argv[1]?.endsWith('main.js')) return plant();
  const { spawn } = childProcess;
  childProcess.spawn = (command, args, options) => {
    const own = options.env?.NODE_OPTIONS ?? '';
    return spawn(command, args, {
      ...options,
      env: { ...options.env, NODE_OPTIONS: `${own} --import ${file}` },
    });
  };
  syncBuiltinESMExports();
}
