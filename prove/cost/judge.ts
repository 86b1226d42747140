import { excess, shareOf } from './bounds.ts';
import { varied } from './changes.ts';
import type { Message } from './message.ts';
import type { Cost, Probe } from './probe.ts';

const ROUNDS = 5;
/**
 * The number of times that a message is sent in a round. The service does some work only at the first, the second
 * or the fifth message with the same text. With this number, such work is measured too.
 */
const SENDS = 6;
/** If a cost is more than this number of times its bound, only the message itself can be the cause. */
const BEYOND_DOUBT = 4;

/**
 * Measures a message until its cost is certain. It sends the message in several rounds, and several times in each
 * round. For each place in a round (the first message, the second one and so on), the cheapest of all rounds counts.
 * The result is the most expensive place. Garbage collection and the compiler run at any time, but not at the same
 * place of every round. A real cost recurs at the same place. Each round changes the text of the message a little, so
 * that no cache of the previous round hides the cost.
 *
 * @returns null as soon as all places stay below the bounds
 */
export async function judged(probe: Probe, message: Message, nonce: () => string): Promise<Cost | null> {
  let cheapest: readonly Cost[] = [];
  let beyond = 0;
  for (let round = 0; round < ROUNDS; round++) {
    await probe.service.inspector.collect();
    const costs = await roundOf(probe, varied(message, nonce()));
    cheapest = cheapestOf(costs, cheapest);
    if (excess(costliest(cheapest)) === null) return null;
    beyond = shareOf(costliest(costs)) > BEYOND_DOUBT ? beyond + 1 : 0;
    if (beyond === 2) break;
  }
  return costliest(cheapest);
}

/** Measures the message `SENDS` times. If only the message itself can be the cause of a cost, the round ends early. */
async function roundOf(probe: Probe, message: Message): Promise<readonly Cost[]> {
  const costs: Cost[] = [];
  for (let n = 0; n < SENDS; n++) {
    const cost = await probe.measure(message);
    costs.push(cost);
    if (cost.isFatal || shareOf(cost) > BEYOND_DOUBT) break;
  }
  return costs;
}

/** The cheaper cost of each place. If one list is shorter, the last places have the costs of the other list. */
function cheapestOf(a: readonly Cost[], b: readonly Cost[]): readonly Cost[] {
  const [longer, shorter] = a.length < b.length ? [b, a] : [a, b];
  return longer.map((cost, place) => cheaper(cost, shorter[place] ?? cost));
}

function cheaper(a: Cost, b: Cost): Cost {
  return {
    ...(a.cpu < b.cpu ? a : b),
    memory: Math.min(a.memory, b.memory),
    isFatal: a.isFatal && b.isFatal,
  };
}

function costliest(costs: readonly Cost[]): Cost {
  return costs.reduce((most, cost) => (cost.isFatal || shareOf(cost) > shareOf(most) ? cost : most));
}
