import {
  getOperationAST,
  OperationTypeNode,
  type DocumentNode,
  type GraphQLFormattedError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { StoreError } from '../errors/errors.js';
import type { LoopGuard } from '../http/loop-guard.js';
import { COST_OF_A_UNIT, requireTaken, type RateLimits, type Standing } from '../rate-limits/rate-limits.js';
import { requireReadable, requireSmall } from './admission.js';
import type { AdmittedOperation, OperationRequest } from './admitted-operation.js';
import type { GraphqlContext } from './context.js';
import { withoutHash } from './document-id.js';
import type { DocumentTrust } from './document-trust.js';
import { resultOfThrown } from './errors.js';
import type { GraphqlInstruments } from './instruments.js';
import { limitsOf, type CheckLimits, type Limits, type Size } from './limits.js';
import { describeOperation } from './operation-span.js';
import { ParsedTexts } from './parsed-texts.js';
import { isPlainlyValid } from './plainly-valid.js';
import { GraphqlInvalid, parseText, requireValid, rulesOf, shortened, TextRefused } from './valid-text.js';
import { readVariables } from './variables.js';

/** The outcome of reading an operation: it is admitted, or there are errors. */
export interface Reading {
  readonly admitted: AdmittedOperation | null;
  /** The errors in their public form. */
  readonly errors: readonly GraphQLFormattedError[];
  /** 0 if the text was refused before it was parsed; null if it was refused later, but before it was measured. */
  readonly cost: number | null;
  /** The state of the caller's limit after the cost was counted; null if nothing was counted. */
  readonly standing: Standing | null;
}

/** The parts of a reader. */
export interface ReaderParts {
  readonly limits: Limits;
  /** Whether introspection is allowed. */
  readonly introspection: boolean;
  readonly trust: DocumentTrust;
  readonly rateLimits: RateLimits;
  readonly guard: LoopGuard;
  readonly instruments: GraphqlInstruments;
}

class GraphqlMethodNotAllowed extends StoreError {
  readonly code = 'METHOD_NOT_ALLOWED';
}

/**
 * The only way from a request to an operation, for every transport. No other code reads the text of an operation. The
 * steps are:
 *
 * - find the text, and check its size
 * - parse and validate the text
 * - find the operation in the text, and measure it
 * - count the cost of the operation for the caller
 * - check the variables
 */
export class OperationReader {
  private readonly texts = new ParsedTexts();
  /** The trusted documents. They are never removed. */
  private readonly trusted = new Map<string, DocumentNode>();
  private readonly checkLimits: CheckLimits;
  private readonly rules;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly parts: ReaderParts,
  ) {
    this.checkLimits = limitsOf(schema, parts.limits);
    this.rules = rulesOf(parts);
  }

  /**
   * Reads the operation of a request. Returns null if the request has no text; then Apollo refuses the request. The
   * method never throws, and its promise is never rejected.
   *
   * @param request may have the hash of a trusted document instead of a text
   */
  readOperation(request: OperationRequest, caller: GraphqlContext): Reading | null | Promise<Reading | null> {
    const reading: Writable<Reading> = { admitted: null, errors: [], cost: 0, standing: null };
    const { operationName, variables = {} } = request;
    const refuse = (error: unknown): Reading => {
      this.parts.instruments.refused.add();
      reading.errors = resultOfThrown(error, caller).errors;
      return reading;
    };
    try {
      const given = this.parts.trust.textOf(request);
      if (!given) return null;
      const known = this.known(given.text);
      if (!known) requireReadable(given.text);
      requireSmall('variables', request.variables);
      if (request.extensions) requireSmall('extensions', withoutHash(request.extensions));
      reading.cost = null;
      const document = known ?? this.parsed(given.text);
      const operation = operationIn(document, operationName);
      this.requireFitting(operation.operation, request, caller);
      const size = this.checkLimits(document, operation, variables);
      reading.cost = size.cost;
      const admit = (standing: Standing | null): Reading => {
        reading.standing = standing;
        requireAffordable(standing, size);
        const values = readVariables(this.schema, operation, variables);
        this.parts.trust.note(given, operationName, caller.requestId);
        this.parts.instruments.count(given.document);
        describeOperation(operation, given.document);
        reading.admitted = { text: given.text, document, operation, variables, values, size };
        return reading;
      };
      const standing = this.count(size, caller);
      return standing instanceof Promise ? standing.then(admit).catch(refuse) : admit(standing);
    } catch (error) {
      return refuse(error);
    }
  }

  /** The operation of a text that is kept; undefined if the text is not kept, null if it has no such operation. */
  knownOperation(text: string, name: string | undefined): OperationDefinitionNode | null | undefined {
    const document = this.known(text);
    return document && getOperationAST(document, name);
  }

  /** The text of a trusted document; undefined if the extensions have no hash of such a document. */
  trustedText(extensions: OperationRequest['extensions']): string | undefined {
    return this.parts.trust.knownText(extensions);
  }

  /** Reads the trusted documents, and returns those that are valid and not too large. */
  readTrusted(): readonly DocumentNode[] {
    for (const text of this.parts.trust.texts()) {
      try {
        requireReadable(text);
        this.trusted.set(text, this.parsed(text));
      } catch (error) {
        // A request for this document is refused with the same error.
        if (!(error instanceof StoreError || error instanceof TextRefused)) throw error;
      }
    }
    return [...this.trusted.values()];
  }

  private known(text: string): DocumentNode | undefined {
    return this.trusted.get(text) ?? this.texts.get(text);
  }

  /** @throws TextRefused */
  private parsed(text: string): DocumentNode {
    const document = parseText(text);
    if (!isPlainlyValid(this.schema, document)) requireValid(this.schema, document, this.rules);
    this.texts.set(text, document);
    return document;
  }

  /**
   * Requires that the transport can carry operations of this kind.
   *
   * @throws GraphqlMethodNotAllowed, GraphqlInvalid
   */
  private requireFitting(
    kind: OperationTypeNode,
    { http }: OperationRequest,
    { requestId, isSafe }: GraphqlContext,
  ): void {
    if (http?.method === 'GET' && kind !== OperationTypeNode.QUERY) {
      throw new GraphqlMethodNotAllowed(
        `GET requests only support query operations, not ${kind} operations.`,
      );
    }
    this.parts.guard.mark({
      id: requestId,
      method: http?.method ?? 'GRAPHQL',
      routeOptions: { url: '/graphql' },
      operation: kind,
    });
    if (!this.schema.getRootType(kind)) throw new GraphqlInvalid(`There is no ${kind} in this schema.`);
    if (kind === OperationTypeNode.SUBSCRIPTION && http) {
      throw new GraphqlInvalid(
        'A subscription needs a connection that stays open. Send it over a WebSocket (graphql-transport-ws) to this address, or to /graphql/stream.',
      );
    }
    if (kind === OperationTypeNode.MUTATION && isSafe) {
      throw new GraphqlInvalid('GET does not execute mutations. Send the mutation by POST.');
    }
  }

  private count(size: Size, { subject }: GraphqlContext): ReturnType<RateLimits['take']> {
    const units = unitsOf(size);
    return units > 0 && subject ? this.parts.rateLimits.take(subject, units) : null;
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function totalOf({ cost, introspection }: Size): number {
  return cost + introspection;
}

function unitsOf(size: Size): number {
  return Math.ceil(totalOf(size) / COST_OF_A_UNIT);
}

/** @throws RateLimited */
function requireAffordable(standing: Standing | null, size: Size): void {
  const units = unitsOf(size);
  const requests = units === 1 ? 'a request' : `${units} requests`;
  requireTaken(standing, units, `The cost of this operation, ${totalOf(size)}, counts as ${requests}`);
}

/** @throws GraphqlInvalid with the messages of graphql-js */
function operationIn(document: DocumentNode, name: string | undefined): OperationDefinitionNode {
  const operation = getOperationAST(document, name);
  if (operation) return operation;
  throw new GraphqlInvalid(
    name === undefined
      ? 'Must provide operation name if query contains multiple operations.'
      : shortened(`Unknown operation named "${name}".`),
  );
}
