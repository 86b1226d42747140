import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Plants a fault in the services that a proof starts. The proof is started with `--import` and the module of the fault.
 * This function makes the proof start each service with the same `--import`, so that the fault is in the services.
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
