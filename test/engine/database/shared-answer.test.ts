import { expect, it } from 'vitest';
import { SharedAnswer } from '../../../src/engine/database/shared-answer.js';

it('SharedAnswer asks one question for all callers that come while an earlier question waits, and asks it after the earlier answer', async () => {
  const questions: PromiseWithResolvers<string>[] = [];
  const shared = new SharedAnswer(() => {
    const question = Promise.withResolvers<string>();
    questions.push(question);
    return question.promise;
  });
  const first = shared.ask();
  const late = [shared.ask(), shared.ask()];
  expect(questions).toHaveLength(1);
  questions[0]?.resolve('old');
  expect(await first).toBe('old');
  await expect.poll(() => questions.length).toBe(2);
  const latest = shared.ask();
  questions[1]?.resolve('new');
  expect(await Promise.all(late)).toEqual(['new', 'new']);
  await expect.poll(() => questions.length).toBe(3);
  questions[2]?.resolve('newest');
  expect(await latest).toBe('newest');
});

it('SharedAnswer asks again after a question that failed', async () => {
  let fails = true;
  const shared = new SharedAnswer(() => (fails ? Promise.reject(new Error('lost')) : Promise.resolve(1)));
  const [first, second] = [shared.ask(), shared.ask()];
  fails = false;
  await expect(first).rejects.toThrow('lost');
  expect(await second).toBe(1);
  expect(await shared.ask()).toBe(1);
});
