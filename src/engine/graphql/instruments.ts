import { Injectable } from '@nestjs/common';
import { OperationTypeNode } from 'graphql';
import { Counter, Counters, Histogram } from '../metrics/instruments.js';

const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 10];
/** The number of documents that are counted separately. All other documents are counted together. */
const MOST_DOCUMENTS = 100;

/** The reasons for which a WebSocket is closed. */
export type ClosedBy =
  'client' | 'credential' | 'protocol' | 'too_many_messages' | 'too_big' | 'restart' | 'try_again' | 'error';

/** The instruments of GraphQL, on every transport. */
@Injectable()
export class GraphqlInstruments {
  readonly durations: Readonly<Record<OperationTypeNode, Histogram>> = {
    [OperationTypeNode.QUERY]: new Histogram(BOUNDS),
    [OperationTypeNode.MUTATION]: new Histogram(BOUNDS),
    [OperationTypeNode.SUBSCRIPTION]: new Histogram(BOUNDS),
  };
  /** The operations that were refused before they were executed. */
  readonly refused = new Counter();
  /** The mutations whose result is the result of an earlier request. */
  readonly replays = new Counter();
  readonly closed = new Counters<ClosedBy>([
    'client',
    'credential',
    'protocol',
    'too_many_messages',
    'too_big',
    'restart',
    'try_again',
    'error',
  ]);
  readonly documents = new Map<string, Counter>();

  /** @param document the file of a trusted document, which the operator chose; null for any other text */
  count(document: string | null): void {
    if (document === null) return;
    const name = this.documents.has(document) || this.documents.size < MOST_DOCUMENTS ? document : 'other';
    const counter = this.documents.get(name) ?? new Counter();
    this.documents.set(name, counter);
    counter.add();
  }
}
