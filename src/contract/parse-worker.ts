import { parentPort, workerData } from 'node:worker_threads';
import { parse } from 'yaml';

/** The thread that parses YAML: openapi.yaml takes a quarter of a second, in which nobody else would be served. */
parentPort?.postMessage(parse(workerData as string));
