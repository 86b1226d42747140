import { parentPort, workerData } from 'node:worker_threads';
import { parse } from 'yaml';

/**
 * The thread that parses YAML. Parsing openapi.yaml takes a quarter of a second, which would block all other requests.
 */
// This is the port of a thread, not a window.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage(parse(workerData as string));
