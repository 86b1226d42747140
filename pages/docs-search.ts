import type { Plugin } from 'swagger-ui-dist/swagger-ui-es-bundle.js';

/** The part of Immutable's collections that Swagger UI gives to `opsFilter`. */
interface Operations {
  filter(test: (operation: { toJS(): Operation }) => boolean): Operations;
  readonly size: number;
}

interface Tag {
  get(name: 'operations'): Operations;
  set(name: 'operations', operations: Operations): Tag;
}

interface Tags {
  map(change: (tag: Tag) => Tag): Tags;
  filter(test: (tag: Tag) => boolean): Tags;
}

interface Operation {
  readonly path: string;
  readonly method: string;
  readonly operation: {
    readonly summary?: string;
    readonly description?: string;
    readonly operationId?: string;
    /** Most parameters are references, such as `#/components/parameters/Idempotency-Key`. */
    readonly parameters?: readonly { readonly name?: string; readonly $ref?: string }[];
  };
}

/**
 * The search of Swagger UI compares only the names of groups and the paths. This search compares the method, the path,
 * the name, the summary, the description and the names of the parameters of each operation.
 */
export const searched: Plugin = ({ React }) => ({
  wrapComponents: {
    // Without this wrapper, Swagger UI would say that the contract has no operations when a search finds nothing.
    operations: (Original) => (props) =>
      props.specSelectors.taggedOperations().size === 0 && props.layoutSelectors.currentFilter()
        ? React.createElement('p', { className: 'search', role: 'status' }, 'No operation matches.')
        : React.createElement(Original, props),
  },
  fn: {
    opsFilter: (tags: Tags, phrase: string): Tags => {
      const words = phrase.toLowerCase().split(/\s+/);
      return tags
        .map((tag) =>
          tag.set(
            'operations',
            tag.get('operations').filter((each) => {
              const text = textOf(each.toJS());
              return words.every((word) => text.includes(word));
            }),
          ),
        )
        .filter((tag) => tag.get('operations').size > 0);
    },
  },
  components: {
    FilterContainer: ({ layoutSelectors, layoutActions }) => {
      const phrase = layoutSelectors.currentFilter();
      return React.createElement(
        'p',
        { className: 'search' },
        React.createElement(
          'label',
          null,
          'Search ',
          React.createElement('input', {
            type: 'search',
            placeholder: 'stock, POST, /orders …',
            value: typeof phrase === 'string' ? phrase : '',
            onChange: ({ target }: { readonly target: HTMLInputElement }) =>
              layoutActions.updateFilter(target.value),
          }),
        ),
      );
    },
  },
});

function textOf({ path, method, operation }: Operation): string {
  const { summary = '', description = '', operationId = '', parameters = [] } = operation;
  const named = parameters.map(({ name, $ref }) => name ?? $ref?.split('/').at(-1) ?? '');
  return [method, path, operationId, summary, description, ...named].join(' ').toLowerCase();
}
