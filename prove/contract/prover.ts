import { Broken } from '../options.ts';
import { curlOf, type Answer, type Client } from './client.ts';
import { attemptsAtEdges } from './edges.ts';
import { readOpenApi, type Operation } from '../../testkit/contract/document.ts';
import type { Attempt } from './drafts.ts';
import { judge, type Problem } from './judge.ts';
import { ShownMembers } from './shown.ts';
import { Tally } from './tally.ts';
import { twistsFor } from './twists.ts';
import type { Twist } from './twist.ts';
import type { World } from './world.ts';

/** The share of valid requests among the random ones. */
const GOOD = 0.35;

/** The number of further requests in which an operation may show a member that no answer has shown. */
const FURTHER = 20;

/** The optional members that the services of this proof cannot show, each with the reason. */
const UNSHOWN: Readonly<Record<string, string>> = {
  missing: 'The member names Redis if it cannot be reached. These services have no Redis.',
  trace_id: 'The services send no traces.',
};

/** Compares a service with openapi.yaml. */
export class Prover {
  readonly operations: readonly Operation[];
  readonly tally = new Tally();
  readonly #shown = new ShownMembers();
  readonly #world: World;
  readonly #codes = new Map<string, Promise<void>>();

  /** @param only the operations to test; an empty list means all */
  constructor(text: string, only: readonly string[], world: World) {
    this.operations = readOpenApi(text).filter(({ id }) => only.length === 0 || only.includes(id));
    this.#world = world;
  }

  /**
   * For each operation, tries every twist that fits. The valid request is a twist too. Then tries the parameters of the
   * path and the query, and the members of the body, at and beyond their bounds.
   */
  async each(): Promise<void> {
    for (const operation of this.operations) {
      for (const { name, make } of twistsFor(operation)) {
        for (let tries = 0; tries < 5; tries++) {
          const attempt = await this.#made(operation, name, make(this.#world, operation));
          if (attempt && (await this.ask(attempt))) break;
        }
      }
      for await (const attempt of attemptsAtEdges(this.#world, operation)) await this.ask(attempt);
    }
  }

  async random(requests: number): Promise<void> {
    const { values } = this.#world;
    for (let n = 0; n < requests && this.operations.length > 0; n++) {
      const operation = values.one(this.operations);
      const [good, ...others] = twistsFor(operation);
      const twist = values.chance(GOOD) || others.length === 0 ? (good as Twist) : values.one(others);
      const attempt = await this.#made(operation, twist.name, twist.make(this.#world, operation));
      if (attempt) await this.ask(attempt);
    }
  }

  /** Adds the operation and the twist to an error that occurs while the request is made. */
  async #made(operation: Operation, name: string, made: Promise<Attempt | null>): Promise<Attempt | null> {
    try {
      return await made;
    } catch (error) {
      if (error instanceof Broken) throw error;
      throw new Error(`No request could be made for ${operation.id}, ${name}.`, { cause: error });
    }
  }

  /** @returns whether the answer had the first of the expected statuses */
  async ask(attempt: Attempt, client: Client = this.#world.client): Promise<boolean> {
    const answer = await client.send(attempt.sent);
    await this.judged(attempt, answer, client);
    return answer.status === attempt.due.statuses[0];
  }

  /** @throws Broken with the request and the answer */
  async judged({ operation, sent, due }: Attempt, answer: Answer, client: Client): Promise<void> {
    try {
      const value = judge(operation, due, answer);
      const problem = answer.status >= 400 ? (value as Problem | undefined) : undefined;
      this.tally.count(operation.id, outcomeOf(answer.status, problem?.code));
      const type = (answer.headers['content-type'] ?? '').split(';', 1)[0] as string;
      const schema = operation.responses.get(answer.status)?.content.get(type);
      // The other formats show the same members.
      if (schema && type.endsWith('json')) this.#shown.add(schema, value);
      if (problem) await this.#known(problem);
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      const heads = Object.entries(answer.headers).map(([name, text]) => `${name}: ${text}`);
      const shown = [`HTTP ${answer.status}`, ...heads, '', answer.text.slice(0, 2000)].join('\n  ');
      throw new Broken(`${error.message}\n${curlOf(client.url, sent)}\n  ${shown}`, { cause: error.cause });
    }
  }

  /** Every problem must be explained at the address of its type. */
  #known({ type, code, status }: Problem): Promise<void> {
    const known = this.#codes.get(code) ?? this.#explained(type, code, status);
    this.#codes.set(code, known);
    return known;
  }

  async #explained(type: string, code: string, status: number): Promise<void> {
    const answer = await this.#world.client.send({ method: 'GET', target: type, headers: {} });
    const kind = answer.status === 200 ? (JSON.parse(answer.text) as Problem) : null;
    if (kind?.code !== code || kind.status !== status)
      throw new Broken(`The address ${type} must explain the problem ${code} with the status ${status}.`);
  }

  /** The documented answers that never occurred. */
  missing(): string[] {
    return this.operations.flatMap(({ id, responses, conflicts }) =>
      [...responses.keys()]
        .flatMap((status) =>
          status === 409 ? conflicts.map((code) => outcomeOf(status, code)) : [String(status)],
        )
        .filter((outcome) => !this.tally.has(id, outcome))
        .map((outcome) => `${id} ${outcome}`),
    );
  }

  /**
   * The optional members that no answer has shown. An operation that has such members gets further valid requests,
   * because there may be more rows now than at its first request.
   */
  async unshown(): Promise<readonly string[]> {
    for (let tries = 0; ; tries++) {
      const missing = this.#shown
        .missing(this.operations)
        .filter((name) => !Object.hasOwn(UNSHOWN, name.split(' ').at(-1) ?? ''));
      if (missing.length === 0 || tries === FURTHER) return missing;
      const ids = new Set(missing.map((name) => name.split(' ', 1)[0]));
      for (const operation of this.operations.filter(({ id }) => ids.has(id))) {
        const [{ name, make }] = twistsFor(operation) as [Twist];
        const attempt = await this.#made(operation, name, make(this.#world, operation));
        if (attempt) await this.ask(attempt);
      }
    }
  }
}

/** The name of an outcome: its status, and for a conflict (409) also its code. */
export function outcomeOf(status: number, code?: string): string {
  return status === 409 && code !== undefined ? `${status} ${code}` : String(status);
}
