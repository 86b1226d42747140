import { randomUUID } from 'node:crypto';
import {
  execute,
  OperationTypeNode,
  print,
  visit,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FormattedExecutionResult,
} from 'graphql';
import { rightsOf } from '../auth/principal.js';
import { StoreEvent } from '../events/store-event.js';
import { contextOf, type GraphqlContext } from './context.js';
import { shown } from './errors.js';
import { Delivery, SharedResult } from './shared-result.js';

type Subscribed = Pick<ExecutionArgs, 'schema' | 'document' | 'operationName' | 'variableValues'> & {
  readonly contextValue: GraphqlContext;
};

/**
 * Subscribers of one selection with the same rights. What an event is to them is executed once, for whoever asks first,
 * and made text once; it is let go with the event.
 */
class Group {
  members = 0;
  private readonly results = new WeakMap<object, SharedResult>();

  constructor(
    readonly key: string,
    private readonly subscribed: Subscribed,
  ) {}

  resultOf(event: object): SharedResult {
    let result = this.results.get(event);
    if (result === undefined) {
      result = new SharedResult(() => this.execute(event));
      this.results.set(event, result);
    }
    return result;
  }

  /** At once, as long as nothing has to be read for it. */
  private execute(event: object): Delivery | Promise<Delivery> {
    const { contextValue, ...rest } = this.subscribed;
    const { principal } = contextValue;
    const requestId = randomUUID();
    const outcome = execute({
      ...rest,
      rootValue: event,
      contextValue: contextOf({ subject: null, principal, id: requestId }),
    });
    const delivered = (result: ExecutionResult): Delivery => deliveryOf(event, shown(result, requestId));
    return outcome instanceof Promise ? outcome.then(delivered) : delivered(outcome);
  }
}

function deliveryOf(event: object, result: FormattedExecutionResult): Delivery {
  if (!(event instanceof StoreEvent)) return new Delivery(JSON.stringify(result), null);
  const cursor = String(event.position);
  return new Delivery(JSON.stringify({ ...result, extensions: { cursor } }), cursor);
}

/** The groups that have members. */
export class SharedResults {
  private readonly groups = new Map<string, Group>();
  private readonly selections = new WeakMap<DocumentNode, Selection>();

  join(subscribed: Subscribed): Group {
    const { document, operationName, variableValues = {}, contextValue, schema } = subscribed;
    let selection = this.selections.get(document);
    if (selection === undefined) {
      const fields = schema.getRootType(OperationTypeNode.SUBSCRIPTION)?.getFields() ?? {};
      selection = selectionIn(document, (name) => Object.hasOwn(fields, name));
      this.selections.set(document, selection);
    }
    const { text, variables } = selection;
    const given = Object.entries(variableValues ?? {}).filter(([name]) => variables.has(name));
    const key = JSON.stringify([rightsOf(contextValue.principal), operationName, given, text]);
    const group = this.groups.get(key) ?? new Group(key, subscribed);
    this.groups.set(key, group);
    group.members += 1;
    return group;
  }

  leave(group: Group): void {
    group.members -= 1;
    if (group.members === 0) this.groups.delete(group.key);
  }
}

interface Selection {
  readonly text: string;
  readonly variables: ReadonlySet<string>;
}

/** What is selected, whatever the position to begin at: that differs from one who comes back to the next. */
function selectionIn(document: DocumentNode, isRootField: (name: string) => boolean): Selection {
  const variables = new Set<string>();
  const selected = visit(document, {
    VariableDefinition: () => null,
    Field: (field) =>
      isRootField(field.name.value)
        ? { ...field, arguments: field.arguments?.filter(({ name }) => name.value !== 'after') ?? [] }
        : undefined,
  });
  visit(selected, {
    Variable: ({ name }) => {
      variables.add(name.value);
    },
  });
  return { text: print(selected), variables };
}
