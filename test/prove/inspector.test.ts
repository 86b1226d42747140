import { spawn } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { Inspector } from '../../prove/cost/inspector.js';

const THREAD = `
  const { parentPort } = require('node:worker_threads');
  const garbage = new WeakRef({});
  parentPort.on('message', () => parentPort.postMessage(garbage.deref() === undefined));
`;
const PROGRAM = `
  const { Worker } = require('node:worker_threads');
  const threads = [1, 2].map(() => new Worker(${JSON.stringify(THREAD)}, { eval: true }));
  globalThis.answers = [];
  for (const thread of threads) thread.on('message', (isCollected) => answers.push(isCollected));
  globalThis.ask = () => {
    answers.length = 0;
    for (const thread of threads) thread.postMessage(null);
  };
`;

it('the inspector of a proof collects the garbage of all threads', async () => {
  const child = spawn(process.execPath, ['--inspect=127.0.0.1:0', '--eval', PROGRAM]);
  onTestFinished(() => void child.kill());
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const patience = { timeout: 10_000 };
  await expect.poll(() => output, patience).toMatch(/Debugger listening/);
  const inspector = await Inspector.of(output);
  onTestFinished(() => inspector.leave());
  await expect.poll(() => inspector.evaluate('typeof ask'), patience).toBe('function');
  const areCollected = async () => {
    await inspector.evaluate('ask()');
    await expect.poll(() => inspector.evaluate('answers.length'), patience).toBe(2);
    return inspector.evaluate('answers');
  };
  expect(await areCollected()).toEqual([false, false]);
  for (let turn = 0; turn < 2; turn += 1) await inspector.collect();
  expect(await areCollected()).toEqual([true, true]);
});
